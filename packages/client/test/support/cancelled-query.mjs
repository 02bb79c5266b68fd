// Queries a name server that does not respond, and aborts once the query is sent. The process exits when c-ares is idle.
import { createResolver } from '@maycrawl/client';

const [server] = process.argv.slice(2);
const controller = new AbortController();
const resolver = createResolver({ servers: [server] });
const onSend = () => setImmediate(() => controller.abort(new Error('no more')));
await resolver.resolve('site.test', { signal: controller.signal, onSend }).catch(() => {});
