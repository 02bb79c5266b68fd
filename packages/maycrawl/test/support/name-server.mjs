// Loaded before the command (--import): every resolver sends its queries to the name server NAME_SERVER; without it, resolvers have no
// method for queries, as if the program called one that does not exist.
import { promises } from 'node:dns';

const { Resolver } = promises;
const server = process.env.NAME_SERVER;
if (server === undefined) Reflect.deleteProperty(Resolver.prototype, 'resolve4');
else
  promises.Resolver = class extends Resolver {
    constructor(options) {
      super(options);
      this.setServers([server]);
    }
  };
