// Decides about a URL with a store of its own: one file for each origin. A second run sends no request.
//
//   node examples/own-store.mjs FOLDER https://example.com/
import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deserialize, serialize } from 'node:v8';
import { applyObservation, RobotsClient } from '@maycrawl/client';

export class FolderStore {
  #folder;

  constructor(folder) {
    mkdirSync(folder, { recursive: true });
    this.#folder = folder;
  }

  async get(origin) {
    return this.#read(this.#getPath(origin));
  }

  async record(origin, observation) {
    const path = this.#getPath(origin);
    const history = applyObservation(this.#read(path), observation);
    // Other processes see the whole file or none.
    writeFileSync(`${path}.${process.pid}`, serialize(history));
    renameSync(`${path}.${process.pid}`, path);
    return history;
  }

  async delete(origin) {
    const paths =
      origin === undefined
        ? readdirSync(this.#folder).map((name) => join(this.#folder, name))
        : [this.#getPath(origin)].filter((path) => this.#read(path) !== undefined);
    for (const path of paths) rmSync(path);
    return paths.length;
  }

  // The name of an origin can be longer than that of a file.
  #getPath(origin) {
    return join(this.#folder, createHash('sha256').update(origin).digest('hex'));
  }

  #read(path) {
    try {
      return deserialize(readFileSync(path));
    } catch (error) {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    }
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [folder, url] = process.argv.slice(2);
  if (url === undefined) {
    console.error('usage: node examples/own-store.mjs FOLDER <URL>');
    process.exit(2);
  }
  const userAgent = 'MyBot/1.0 (+https://my.example/bot)';
  const client = new RobotsClient({ agent: 'MyBot', userAgent, store: new FolderStore(folder) });
  console.log((await client.decide(url)).kind, url);
}
