// The thresholds between the ways to decide (packages/core/src/matching/matcher.ts, model/crawler-rules.ts): each matcher by the
// number of rules, the share of rules with stars and the length of the paths; the number of decisions after which compiled rules pay;
// and the numbers from which another way is faster. Times are processor times, medians of the rounds, in which the ways take turns.
import { GOOGLE, parse } from '@maycrawl/core';
import { createRuleTable } from '../packages/core/dist/matching/create-rule-table.js';
import { GramIndex } from '../packages/core/dist/matching/grams/gram-index.js';
import { PartMatcher } from '../packages/core/dist/matching/part-matcher.js';
import { getRuleTable } from '../packages/core/dist/model/ruleset.js';
import { collectRules } from '../packages/core/dist/syntax/collect.js';
import { readRuleLines } from '../packages/core/dist/syntax/rule-lines.js';
import { makeQuestions, makeRandom, readCorpus } from './corpus.mjs';
import { formatTime, quantile, ROUNDS } from './measure.mjs';

const SIZES = [2, 4, 6, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 255];
const LENGTHS = [20, 60, 200];
const PATHS = 500;

const random = makeRandom(5);
const pick = (list) => list[Math.floor(random() * list.length)];
const word = () =>
  Math.floor(random() * 2 ** 40)
    .toString(36)
    .slice(0, 3 + Math.floor(random() * 6));
const literal = () => `/${word()}/${random() < 0.4 ? `${word()}/` : ''}`;
const wildcard = () =>
  pick([
    () => `/*/${word()}/`,
    () => `/*?${word()}=`,
    () => `/${word()}/*.${word()}$`,
    () => `/*-${word()}`,
  ])();
const KINDS = {
  'no rule with stars': literal,
  'every eighth rule with stars': () => (random() < 1 / 8 ? wildcard() : literal()),
  'all rules with stars': wildcard,
};

const createFile = (patterns) => `User-agent: *\n${patterns.map((each) => `Disallow: ${each}\n`).join('')}`;

/** Creates a rule table. */
function createTable(patterns) {
  const file = createFile(patterns);
  const lines = readRuleLines(file, false);
  const { rules } = collectRules(lines, { tokenSets: [['a']], obeysGlobal: true, isExempt: false });
  return createRuleTable(file, lines.bytes, rules, GOOGLE);
}

/** Creates paths of about one length. Half of them match a rule. They are flat strings, like the URLs of a file. */
function createPaths(patterns, length) {
  return Array.from({ length: PATHS }, (_, index) => {
    let path = '';
    while (path.length < length) path += `/${word()}`;
    if (index % 2 === 0) path = pick(patterns).replace('*', path.slice(1, length)).replace('$', '');
    return Buffer.from(path).latin1Slice();
  });
}

/** Returns the processor time of a program in nanoseconds. */
function measureOnce(run) {
  const before = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(before);
  return (user + system) * 1000;
}

/** Runs the programs in turn, and returns the median of the processor time of each call in nanoseconds. */
function measure(programs, calls) {
  const times = programs.map(() => []);
  for (let round = -2; round < ROUNDS; round++) {
    for (const [index, run] of programs.entries()) {
      const time = measureOnce(run) / calls;
      if (round >= 0) times[index].push(time);
    }
  }
  return times.map((each) => quantile(each, 0.5));
}

const REPEAT = 20;
const decideAll = (matcher, paths) => () => {
  for (let i = 0; i < REPEAT; i++) for (const path of paths) matcher.find(path, 0);
};

/** Returns the number from which the second of two rows of times is less than the first, between the sizes by interpolation. */
function findCrossover(sizes, first, second) {
  const from = first.findLastIndex((time, index) => time <= second[index]) + 1;
  if (from === 0) return `less than ${sizes[0]}`;
  if (from === sizes.length) return `more than ${sizes.at(-1)}`;
  const [before, after] = [from - 1, from].map((index) => first[index] - second[index]);
  return Math.round(sizes[from - 1] + ((sizes[from] - sizes[from - 1]) * -before) / (after - before));
}

const row = (name, cells) => console.log(`| ${[name, ...cells].join(' | ')} |`);

console.log(`Matchers of rule tables, ${PATHS} paths, ${ROUNDS} rounds, processor times`);
for (const [kind, pattern] of Object.entries(KINDS)) {
  for (const length of LENGTHS) {
    const times = { table: [], index: [] };
    for (const size of SIZES) {
      const patterns = Array.from({ length: size }, pattern);
      const table = createTable(patterns);
      const index = new GramIndex(table);
      const paths = createPaths(patterns, length);
      const [byTable, byIndex] = measure([decideAll(table, paths), decideAll(index, paths)], REPEAT * PATHS);
      times.table.push(byTable);
      times.index.push(byIndex);
    }
    console.log(`\n${kind}, paths of about ${length} characters:`);
    row('rules', SIZES);
    row('table', times.table.map(formatTime));
    row('gram index', times.index.map(formatTime));
    console.log(`The index is faster from ${findCrossover(SIZES, times.table, times.index)} rules on.`);
  }
}

console.log('\nPatterns that share all grams (products of the number of rules and the length of the path):');
const binary = (number) => `/*${number.toString(2).replaceAll('0', 'ab*').replaceAll('1', 'ba*')}cb`;
const HOSTILE_REPEAT = 5;
const repeat = (work) => {
  for (let i = 0; i < HOSTILE_REPEAT; i++) work();
};
const products = [];
const hostile = { table: [], parts: [] };
for (const size of [16, 64, 256, 1024, 4096]) {
  const patterns = Array.from({ length: size }, (_, index) => binary(index + size));
  const table = getRuleTable(parse(createFile(patterns)).ruleset('a'));
  const parts = new PartMatcher(table);
  for (const length of [64, 512]) {
    const path = `/${'ab'.repeat(length / 2)}c/`;
    const [byTable, byParts] = measure(
      [
        () => repeat(() => table.find(path, 0)),
        () => repeat(() => parts.find(path, 0, Number.POSITIVE_INFINITY)),
      ],
      HOSTILE_REPEAT,
    );
    products.push(size * length);
    hostile.table.push(byTable);
    hostile.parts.push(byParts);
  }
}
row('product', products);
row('table', hostile.table.map(formatTime));
row('part matcher', hostile.parts.map(formatTime));

const { label, files } = readCorpus();
const DECISIONS = 8;
const questions = makeQuestions(files, files.length * DECISIONS, (index) => Math.floor(index / DECISIONS));
let rulesets = [];
const create = () => {
  rulesets = files.map((bytes) => parse(bytes).ruleset('Googlebot'));
};
const decideQuestions = () => {
  for (const { file, url } of questions) rulesets[file].decide(url);
};
const compile = () => {
  for (const ruleset of rulesets) getRuleTable(ruleset);
};
const stages = { read: [], compiled: [], decided: [] };
const time = (work, calls) => measureOnce(work) / calls;
for (let round = -2; round < ROUNDS; round++) {
  create();
  const read = time(decideQuestions, questions.length);
  create();
  const compiled = time(compile, files.length);
  const decided = time(decideQuestions, questions.length);
  if (round < 0) continue;
  stages.read.push(read);
  stages.compiled.push(compiled);
  stages.decided.push(decided);
}
const [read, compiled, decided] = Object.values(stages).map((times) => quantile(times, 0.5));
console.log(
  `\n${label}: a decision that reads the file ${formatTime(read)}, compiling its rules ${formatTime(compiled)},`,
);
console.log(
  `a decision by compiled rules ${formatTime(decided)}. They pay after ${Math.ceil(compiled / (read - decided))} decisions.`,
);
