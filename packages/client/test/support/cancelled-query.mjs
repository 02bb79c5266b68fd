// Asks a name server that never answers for a name, and gives up once the query is sent. The process ends when c-ares has nothing to
// do any more.
import { createResolver } from '@maycrawl/client';

const [server] = process.argv.slice(2);
const controller = new AbortController();
const resolver = createResolver({ servers: [server] });
const onSend = () => setImmediate(() => controller.abort(new Error('no more')));
await resolver.resolve('site.test', { signal: controller.signal, onSend }).catch(() => {});
