// Adversarial files of 500 KiB, and URLs of 2 kB: the first decision with the parsing, and those that follow.
import { decide, parse } from '@maycrawl/core';
import { formatTime, quantile, ROUNDS } from './measure.mjs';
import { PEERS } from './peers.mjs';

const MAX_BYTES = 512_000;

function createFile(pattern) {
  const lines = ['User-agent: *'];
  for (let index = 0, length = 14; ; index++) {
    const line = `Disallow: ${pattern(index)}`;
    length += line.length + 1;
    if (length > MAX_BYTES) return Buffer.from(`${lines.join('\n')}\n`);
    lines.push(line);
  }
}

const FILES = {
  'thousands of /*a*a*a...b': createFile((index) => `/${'*a'.repeat(20 + (index % 30))}*b${index}`),
  'the shorter ones': createFile((index) => `/*a*a*a*a*a*a*a*b${index}`),
  'parts of 500 characters': createFile((index) => `/*${'a'.repeat(500)}b${index}`),
  'as many stars as rules': createFile((index) => `/*a${index.toString(36)}`),
  'no stars': createFile((index) => `/a/${index.toString(36)}`),
};
const URLS = {
  aaa: `http://example.com/${'a'.repeat(2000)}`,
  abab: `http://example.com/${'ab'.repeat(1000)}`,
};

const time = (work) => {
  const start = process.hrtime.bigint();
  work();
  return Number(process.hrtime.bigint() - start);
};

console.log(`Files of 500 KiB that are made to be slow, URLs of 2 kB, ${ROUNDS} rounds\n`);
console.log('medians (longest)'.padEnd(36), 'parse and decide   decide once   next 50 decisions, each');
for (const [name, bytes] of Object.entries(FILES)) {
  for (const [kind, url] of Object.entries(URLS)) {
    const first = [];
    const once = [];
    const next = [];
    for (let round = 0; round < ROUNDS; round++) {
      let ruleset;
      first.push(
        time(() => {
          ruleset = parse(bytes).ruleset('a');
          ruleset.decide(url);
        }),
      );
      for (let i = 0; i < 50; i++) next.push(time(() => ruleset.decide(url)));
      once.push(time(() => decide(bytes, 'a', url)));
    }
    const show = (times) => `${formatTime(quantile(times, 0.5))} (${formatTime(Math.max(...times))})`;
    console.log(`${name}, ${kind}`.padEnd(36), show(first), show(once), show(next));
  }
}

// One decision each by a small file: with the whole file some libraries take hours.
const bytes = createFile((index) => `/${'*a'.repeat(3)}*b${index}`).subarray(0, 5_000);
const url = `http://example.com/${'a'.repeat(60)}`;
console.log('\nA hundredth of such a file, three stars a rule, a URL of 60 characters; one decision, once:');
for (const { name, prepare, allowed } of PEERS) {
  const prepared = await prepare(bytes);
  console.log(name.padEnd(38), formatTime(time(() => allowed(prepared, 'a', url))));
}
