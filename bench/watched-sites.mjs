// Sites at loopback addresses of one server in a separate process. One in a hundred changes each hour.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { readCorpus } from './corpus.mjs';

/** Responds for all sites; those that change in this hour have a further line. Counts the requests of each. */
function serveSites() {
  const { files } = readCorpus();
  let hour = 0;
  let requested = new Map();
  const server = createServer(({ headers }, response) => {
    const [, a, b, c] = headers.host.split(/[.:]/).map(Number);
    const site = ((a - 1) << 16) + (b << 8) + c;
    requested.set(site, (requested.get(site) ?? 0) + 1);
    const etag = `"${site % 100 === hour % 100 ? hour : 0}"`;
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else {
      const file = files[site % files.length];
      response.writeHead(200, { etag, 'cache-control': 'max-age=60' });
      response.end(etag === '"0"' ? file : `${file}\nUser-agent: *\nDisallow: /hour-${hour}\n`);
    }
  });
  process.on('message', (message) => {
    if (message === 'requested') {
      process.send({
        sites: requested.size,
        twice: [...requested.values()].filter((count) => count > 1).length,
      });
      requested = new Map();
      return;
    }
    hour = message;
    process.send('ready');
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '0.0.0.0', 4096, () => process.send(server.address().port));
}

/** Starts the sites. */
export async function startSites(count) {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const [port] = await once(child, 'message');
  const send = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  const getOrigin = (index) => `http://127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:${port}`;
  return {
    origins: Array.from({ length: count }, (_, index) => getOrigin(index)),
    /** Sets the hour. */
    setHour: (hour) => send(hour),
    /** The number of sites that were requested since the last call, and of those requested more than once. */
    requested: () => send('requested'),
    end: () => child.kill(),
  };
}

if (process.argv[2] === 'serve') serveSites();
