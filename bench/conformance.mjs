// How many of Google's own verdicts does each library give? Only vectors with one crawler and one host, because
// no other library supports several crawlers.
import { readFileSync } from 'node:fs';
import { PEERS } from './peers.mjs';

const text = readFileSync(new URL('../conformance/google-reference.jsonl', import.meta.url), 'utf8');
const vectors = text
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line))
  .filter(({ agents, url }) => agents.length === 1 && url.startsWith('http://example.com'));

const getContent = ({ robots, robots_base64 }) =>
  robots === undefined ? Buffer.from(robots_base64, 'base64') : Buffer.from(robots);

console.log(
  `Verdicts that differ from Google's matcher, of ${vectors.length} (of these the matcher disallows`,
);
console.log(`${vectors.filter(({ allowed }) => !allowed).length}):\n`);
for (const { name, prepare, allowed } of PEERS) {
  let wrong = 0;
  let failed = 0;
  for (const vector of vectors) {
    try {
      const prepared = await prepare(getContent(vector));
      if (allowed(prepared, vector.agents[0], vector.url) !== vector.allowed) wrong++;
    } catch {
      failed++;
    }
  }
  const thrown = failed === 0 ? '' : `, and ${failed} inputs on which it throws`;
  console.log(`${name.padEnd(36)} ${String(wrong).padStart(5)}${thrown}`);
}
