// Fetches pages of a queue in Redis with BullMQ, as far as robots.txt allows (npm install bullmq@6 ioredis@6):
//
//   node examples/bullmq.mjs redis://127.0.0.1:6379 https://example.com/ https://example.com/page
import { RobotsClient } from '@maycrawl/client';
import { createRobotsFetch, ForbiddenUrlError } from '@maycrawl/client/fetch';
import { DelayedError, Queue, UnrecoverableError, Worker } from 'bullmq';

const [redis, ...urls] = process.argv.slice(2);
if (urls.length === 0) {
  console.error('usage: node examples/bullmq.mjs <URL of Redis> <URL>...');
  process.exit(2);
}

// A worker that waits for a turn is of no use: after a tenth of a second the job goes back into the queue until its time.
const client = new RobotsClient({
  agent: 'MyBot',
  userAgent: 'MyBot/1.0 (+https://my.example/bot)',
  pace: { spacing: 200, maxWait: 100 },
});
const fetch = createRobotsFetch(client);

const { hostname: host, port } = new URL(redis);
const connection = { host, port: Number(port) };
const queue = new Queue('pages', { connection });
const worker = new Worker(
  'pages',
  async (job, token) => {
    try {
      const response = await fetch(job.data.url);
      await response.arrayBuffer();
      return response.status;
    } catch (error) {
      // A temporary refusal: robots.txt is unreachable, or it is not the turn of this origin. It is no attempt.
      if (error.temporary) {
        await job.moveToDelayed(error.retryAt, token);
        throw new DelayedError();
      }
      // A final one: no attempt can succeed.
      if (error instanceof ForbiddenUrlError) throw new UnrecoverableError(error.message);
      throw error;
    }
  },
  { connection, concurrency: 20 },
);

let open = urls.length;
const end = async (line) => {
  console.log(line);
  if (--open > 0) return;
  await worker.close();
  await queue.close();
};
worker.on('completed', ({ data, attemptsMade }, status) =>
  end(`${status} ${data.url} (attempt ${attemptsMade})`),
);
worker.on('failed', ({ data }, { message }) =>
  end(message.includes(data.url) ? message : `${data.url} failed: ${message}`),
);
await queue.addBulk(urls.map((url) => ({ name: 'page', data: { url }, opts: { attempts: 3 } })));
