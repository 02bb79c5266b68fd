// Sites at addresses of loopback, one server in a process of its own. One in a hundred changes each hour.
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { readCorpus } from './corpus.mjs';

/** Answers for all sites; those whose turn it is have a further line. It is asked how often each was asked, too. */
function serveSites() {
  const { files } = readCorpus();
  let hour = 0;
  let asked = new Map();
  const server = createServer(({ headers }, response) => {
    const [, a, b, c] = headers.host.split(/[.:]/).map(Number);
    const site = ((a - 1) << 16) + (b << 8) + c;
    asked.set(site, (asked.get(site) ?? 0) + 1);
    const etag = `"${site % 100 === hour % 100 ? hour : 0}"`;
    if (headers['if-none-match'] === etag) response.writeHead(304, { etag }).end();
    else {
      const file = files[site % files.length];
      response.writeHead(200, { etag, 'cache-control': 'max-age=60' });
      response.end(etag === '"0"' ? file : `${file}\nUser-agent: *\nDisallow: /hour-${hour}\n`);
    }
  });
  process.on('message', (message) => {
    if (message === 'asked') {
      process.send({ sites: asked.size, twice: [...asked.values()].filter((count) => count > 1).length });
      asked = new Map();
      return;
    }
    hour = message;
    process.send('ready');
  });
  process.on('disconnect', () => process.exit());
  server.listen(0, '0.0.0.0', 4096, () => process.send(server.address().port));
}

/** Starts them. */
export async function startSites(count) {
  const child = fork(fileURLToPath(import.meta.url), ['serve']);
  const [port] = await once(child, 'message');
  const tell = async (message) => {
    child.send(message);
    return (await once(child, 'message'))[0];
  };
  const originAt = (index) => `http://127.${1 + (index >> 16)}.${(index >> 8) & 255}.${index & 255}:${port}`;
  return {
    origins: Array.from({ length: count }, (_, index) => originAt(index)),
    /** From now on it is that hour. */
    setHour: (hour) => tell(hour),
    /** How many sites were asked since the last time, and how many of them more than once. */
    asked: () => tell('asked'),
    end: () => child.kill(),
  };
}

if (process.argv[2] === 'serve') serveSites();
