// Decisions: one about a file that is not kept, and many about files that are. The libraries take turns in each round;
// times are medians of the rounds, with the 10th and 90th percentile.
import { decide, parse } from '@maycrawl/core';
import robotsParser from 'robots-parser';
import { makeQuestions, readCorpus } from './corpus.mjs';

const ROUNDS = Number(process.env.BENCH_ROUNDS ?? 9);
const { label, files } = readCorpus();
const questions = makeQuestions(files, 12_000);

const quantile = (values, q) => [...values].sort((a, b) => a - b)[Math.round((values.length - 1) * q)];

/** Runs the competitors in turn, and prints nanoseconds for each question and ratios to the first. */
function compare(title, perRound, competitors) {
  const times = competitors.map(() => []);
  const allowed = competitors.map(() => 0);
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, { run }] of competitors.entries()) {
      const start = process.hrtime.bigint();
      allowed[index] = run();
      const nanoseconds = Number(process.hrtime.bigint() - start);
      if (round >= 0) times[index].push(nanoseconds / perRound);
    }
  }
  console.log(`\n${title}`);
  const base = quantile(times[0], 0.5);
  for (const [index, { name }] of competitors.entries()) {
    const [low, median, high] = [0.1, 0.5, 0.9].map((q) => Math.round(quantile(times[index], q)));
    const ratio = (median / base).toFixed(2);
    console.log(`${name.padEnd(36)} ${median} ns (${low} to ${high})  x ${ratio}  ${allowed[index]} allowed`);
  }
}

const bytes = files.reduce((sum, { length }) => sum + length, 0);
console.log(`Decisions on ${label} (${Math.round(bytes / files.length)} bytes on average), ${ROUNDS} rounds`);

const count = (isAllowed) => questions.reduce((sum, question) => sum + (isAllowed(question) ? 1 : 0), 0);
compare('One decision about a file that is not kept', questions.length, [
  { name: 'maycrawl decide', run: () => count((q) => decide(q.bytes, q.agent, q.url).allowed) },
  {
    name: 'maycrawl parse, ruleset, decide',
    run: () => count((q) => parse(q.bytes).ruleset(q.agent).decide(q.url).allowed),
  },
  {
    name: 'robots-parser',
    run: () => count((q) => robotsParser('http://example.com/robots.txt', q.text).isAllowed(q.url, q.agent)),
  },
]);

const ours = new Map();
const theirs = new Map();
for (const { file, bytes: content, text, agent } of questions) {
  if (!ours.has(`${file} ${agent}`)) ours.set(`${file} ${agent}`, parse(content).ruleset(agent));
  if (!theirs.has(file)) theirs.set(file, robotsParser('http://example.com/robots.txt', text));
}
const kept = questions.map((q) => ({
  ...q,
  ruleset: ours.get(`${q.file} ${q.agent}`),
  robots: theirs.get(q.file),
}));
const countKept = (isAllowed) => kept.reduce((sum, question) => sum + (isAllowed(question) ? 1 : 0), 0);
compare('Decisions about files that are kept', kept.length, [
  { name: 'maycrawl', run: () => countKept((q) => q.ruleset.decide(q.url).allowed) },
  { name: 'robots-parser', run: () => countKept((q) => q.robots.isAllowed(q.url, q.agent)) },
]);

const rulesOf = (size) =>
  Array.from({ length: size }, (_, index) => `Disallow: /${(index * 7919).toString(36)}/${index % 97}\n`);
const manyRules = [20, 200, 2_000, 20_000].map((size) => {
  const text = `User-agent: *\n${rulesOf(size).join('')}`;
  return { size, ruleset: parse(text, { maxBytes: Number.POSITIVE_INFINITY }).ruleset('a') };
});
const urls = Array.from(
  { length: 5_000 },
  (_, i) => `http://example.com/${((i % 20_000) * 7919).toString(36)}/${i % 97}/page`,
);
compare(
  'By the number of rules (plain paths, 5,000 URLs of which the longest lists match all)',
  urls.length,
  manyRules.map(({ size, ruleset }) => ({
    name: `${size} rules`,
    run: () => urls.reduce((sum, url) => sum + (ruleset.decide(url).allowed ? 1 : 0), 0),
  })),
);
