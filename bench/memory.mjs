// Memory of a parsed file, relative to its bytes: the document and a ruleset after 1,000 decisions.
// The heap is measured with many copies of files of about one size, and compared with `sizeInBytes`.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { parse } from '@maycrawl/core';
import { makeQuestions, readCorpus } from './corpus.mjs';
import { quantile } from './measure.mjs';
import { PEERS } from './peers.mjs';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc');

function usedBytes() {
  for (let i = 0; i < 3; i++) collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const DECISIONS = 1000;
const { label, files } = readCorpus();
const urls = makeQuestions(files, DECISIONS).map(({ url }) => url);
const robotsParser = PEERS.find(({ name }) => name === 'robots-parser');

const makeOurs = (bytes) => {
  const robots = parse(bytes);
  const ruleset = robots.ruleset('Googlebot');
  for (const url of urls) ruleset.decide(url);
  return [robots, ruleset];
};
const makeTheirs = (bytes) => {
  const robots = robotsParser.prepare(bytes);
  for (const url of urls.slice(0, 20)) robotsParser.allowed(robots, 'Googlebot', url);
  return [robots];
};
const getSize = (objects) => objects.reduce((sum, { sizeInBytes }) => sum + sizeInBytes, 0);

console.log(`Memory of ${label}, each after ${DECISIONS} decisions, relative to the bytes of the file\n`);
const kept = files.filter(({ length }) => length > 0).map((bytes) => ({ bytes, made: makeOurs(bytes) }));
const ratios = kept.map(({ bytes, made }) => getSize(made) / bytes.length);
const quantiles = [0.1, 0.25, 0.5, 0.75, 0.9].map((q) => quantile(ratios, q).toFixed(2));
console.log(`sizeInBytes of all files, 10th, 25th, 50th, 75th, 90th percentile: ${quantiles.join(', ')}\n`);

console.log('files with this many bytes   mean bytes   maycrawl, heap   sizeInBytes   robots-parser, heap');
for (const [from, to, copies] of [
  [1, 200, 60],
  [200, 600, 60],
  [600, 2_000, 30],
  [2_000, 10_000, 20],
  [10_000, Number.POSITIVE_INFINITY, 4],
]) {
  const selected = files.filter(({ length }) => length >= from && length < to);
  const measure = (make) => {
    selected.forEach(make);
    const before = usedBytes();
    const made = [];
    for (let copy = 0; copy < copies; copy++) for (const bytes of selected) made.push(...make(bytes));
    return { each: (usedBytes() - before) / (copies * selected.length), made };
  };
  const ours = measure(makeOurs);
  const estimated = getSize(ours.made) / (copies * selected.length);
  ours.made.length = 0;
  const theirs = measure(makeTheirs);
  const mean = selected.reduce((sum, { length }) => sum + length, 0) / selected.length;
  const columns = [`${from} to ${to}`, mean, ours.each, estimated, theirs.each];
  console.log(
    columns.map((each) => String(typeof each === 'number' ? Math.round(each) : each).padEnd(16)).join(''),
  );
}
