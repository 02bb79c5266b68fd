// The libraries of npm, as the benchmarks use them, and this project. The argument is the name of one of them.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { CRAWLEE, PEERS } from '../../../bench/peers.mjs';
import { decideByProfile } from '../maycrawl.mjs';

const readJson = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'));

/** The package with the version of each library. */
const PACKAGES = { Crawlee: '@crawlee/utils', 'robots-txt-parse + robots-txt-guard': 'robots-txt-guard' };

/** A library of which one function decides a question. */
const createMaycrawl = (name, profile) => ({
  name,
  decide: (question) => decideByProfile(profile, question),
});

/** A library that parses first. */
const createPeer = ({ name, prepare, allowed }) => ({
  name,
  decide: async ({ robots, agent, url }) => allowed(await prepare(Buffer.from(robots, 'base64')), agent, url),
});

function getVersion(name) {
  if (name.startsWith('maycrawl')) return readJson('../../../packages/core/package.json').version;
  return readJson('../../../bench/package.json').dependencies[PACKAGES[name] ?? name];
}

const LIBRARIES = [
  createMaycrawl('maycrawl', 'google'),
  createMaycrawl('maycrawl-rfc9309', 'rfc9309'),
  ...[CRAWLEE, ...PEERS].map(createPeer),
];

const [name] = process.argv.slice(2);
const { decide } = LIBRARIES.find((library) => library.name === name);
const print = (answer) => process.stdout.write(`${JSON.stringify(answer)}\n`);

print({ version: getVersion(name) });
for await (const line of createInterface({ input: process.stdin })) {
  try {
    print({ allowed: await decide(JSON.parse(line)) });
  } catch (error) {
    print({ error: String(error) });
  }
}
