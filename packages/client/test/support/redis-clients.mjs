// Connects a client of each package that a store in Redis supports. Processes without TypeScript use it, too.
import { Redis as Ioredis } from 'ioredis';
import { Redis as Iovalkey } from 'iovalkey';
import { createClient } from 'redis';

export const REDIS_PACKAGES = ['ioredis', 'iovalkey', 'redis'];

export async function createRedisClient(name, url) {
  if (name === 'redis') {
    const client = createClient({ url, socket: { reconnectStrategy: 50 } });
    client.on('error', () => {});
    await client.connect();
    return { client, send: (...command) => client.sendCommand(command), close: async () => client.destroy() };
  }
  const Client = name === 'ioredis' ? Ioredis : Iovalkey;
  const client = new Client(url, { retryStrategy: () => 50 });
  client.on('error', () => {});
  return { client, send: (...command) => client.call(...command), close: async () => client.disconnect() };
}
