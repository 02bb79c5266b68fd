// Decisions: from the bytes of a file to one verdict, many by a parsed file, and by the number of rules. Verdicts are compared
// first: a library with too many different verdicts is not timed.
import { decide, parse } from '@maycrawl/core';
import createRobotsParser from 'robots-parser';
import { makeQuestions, readCorpus } from './corpus.mjs';
import { compare } from './measure.mjs';
import { PEERS } from './peers.mjs';

/** A library with a larger part of different verdicts is not comparable. */
const MAX_DIFFERENT = 0.1;

const { label, files } = readCorpus();
const bytes = files.reduce((sum, { length }) => sum + length, 0);
console.log(`Decisions on ${label}, ${Math.round(bytes / files.length)} bytes on average`);

const others = PEERS.filter(({ name }) => name !== 'maycrawl');

/** The result of a library; `undefined` if it throws. */
function attempt(work) {
  try {
    return work();
  } catch {
    return undefined;
  }
}
const allows = (peer, prepared, token, url) => attempt(() => peer.allowed(prepared, token, url));
const prepare = (peer, content) =>
  peer.isAsync ? peer.prepare(content).catch(() => undefined) : attempt(() => peer.prepare(content));

/** Returns the libraries whose verdicts are comparable. `decideAll` returns all verdicts of one library. */
async function findComparable(decideAll, ours) {
  const found = [];
  for (const peer of others) {
    const verdicts = await decideAll(peer);
    const different = verdicts.filter((allowed, index) => allowed !== ours[index]).length / ours.length;
    console.log(`${peer.name.padEnd(38)} ${(100 * different).toFixed(1)} % of the verdicts differ`);
    if (different > MAX_DIFFERENT) console.log('  it is not timed');
    else found.push({ peer, expected: verdicts.filter(Boolean).length });
  }
  return found;
}

const questions = makeQuestions(files, 3_000);
console.log(`\nVerdicts on ${questions.length} questions:`);
const ours = questions.map((q) => decide(q.bytes, q.agent, q.url).allowed);
const expected = ours.filter(Boolean).length;
const count = (isAllowed) => questions.reduce((sum, question) => sum + (isAllowed(question) ? 1 : 0), 0);

// Without the conversion of bytes to a string, which the other libraries need.
const texts = new Map(files.map((content) => [content, new TextDecoder().decode(content)]));
const isAllowedByText = (q) =>
  createRobotsParser('http://example.com/robots.txt', texts.get(q.bytes)).isAllowed(q.url, q.agent) === true;

const oneShot = await findComparable(async (peer) => {
  const verdicts = [];
  for (const q of questions) verdicts.push(allows(peer, await prepare(peer, q.bytes), q.agent, q.url));
  return verdicts;
}, ours);
await compare('One decision from the bytes of a file', questions.length, [
  { name: 'maycrawl decide', expected, run: () => count((q) => decide(q.bytes, q.agent, q.url).allowed) },
  {
    name: 'maycrawl parse, ruleset, decide',
    expected,
    run: () => count((q) => parse(q.bytes).ruleset(q.agent).decide(q.url).allowed),
  },
  {
    name: 'robots-parser, decoded beforehand',
    expected: count(isAllowedByText),
    run: () => count(isAllowedByText),
  },
  ...oneShot.map(({ peer, expected: theirs }) => ({
    name: peer.name,
    expected: theirs,
    // Only one library is asynchronous; awaiting the others would slow them down.
    run: peer.isAsync
      ? async () => {
          let allowed = 0;
          for (const q of questions)
            if (allows(peer, await prepare(peer, q.bytes), q.agent, q.url)) allowed++;
          return allowed;
        }
      : () => count((q) => allows(peer, prepare(peer, q.bytes), q.agent, q.url)),
  })),
]);

/** A file of 56 kB, with one character that is not ASCII or without. */
const makeText = (character) =>
  Buffer.from(
    `# ${character}\nUser-agent: *\n${Array.from({ length: 1_800 }, (_, i) => `Disallow: /${i * 7919}/folder/name\n`).join('')}`,
  );
const [ascii, accented] = [makeText('e'), makeText('é')];
const repeat = (work) => {
  let allowed = 0;
  for (let round = 0; round < 200; round++) if (work()) allowed++;
  return allowed;
};
await compare(
  `A file of ${Math.round(ascii.length / 1_000)} kB, ASCII or not`,
  200,
  [
    ['parse, ASCII', () => !parse(ascii).truncated],
    ['parse, one é', () => !parse(accented).truncated],
    ['parse, ruleset, decide, ASCII', () => parse(ascii).ruleset('a').decide('/x').allowed],
    ['parse, ruleset, decide, one é', () => parse(accented).ruleset('a').decide('/x').allowed],
  ].map(([name, work]) => ({ name, expected: 200, run: () => repeat(work) })),
);

// Many URLs for each file, one file after another.
const PER_FILE = 100;
const repeatedQuestions = makeQuestions(files, files.length * PER_FILE, (index) =>
  Math.floor(index / PER_FILE),
).map((q) => ({
  ...q,
  agent: 'Googlebot',
}));
const repeatedVerdicts = new Map();
console.log(`\nVerdicts on ${PER_FILE} URLs of each file:`);
const rulesets = files.map((content) => parse(content).ruleset('Googlebot'));
repeatedVerdicts.set(
  'maycrawl',
  repeatedQuestions.map((q) => rulesets[q.file].decide(q.url).allowed),
);
const prepared = new Map();
const repeated = await findComparable(async (peer) => {
  const robots = [];
  for (const content of files) robots.push(await prepare(peer, content));
  prepared.set(peer.name, robots);
  return repeatedQuestions.map((q) => allows(peer, robots[q.file], q.agent, q.url));
}, repeatedVerdicts.get('maycrawl'));
const countRepeated = (isAllowed) =>
  repeatedQuestions.reduce((sum, question) => sum + (isAllowed(question) ? 1 : 0), 0);
await compare('Decisions by parsed files', repeatedQuestions.length, [
  {
    name: 'maycrawl',
    expected: repeatedVerdicts.get('maycrawl').filter(Boolean).length,
    run: () => countRepeated((q) => rulesets[q.file].decide(q.url).allowed),
  },
  ...repeated.map(({ peer, expected: theirs }) => ({
    name: peer.name,
    expected: theirs,
    run: () => countRepeated((q) => allows(peer, prepared.get(peer.name)[q.file], q.agent, q.url)),
  })),
]);

/** Files with a given number of rules, none of which is a prefix of another, and URLs, some of which match the first rules. */
const makeFiles = (pattern) =>
  [20, 200, 2_000, 20_000].map((size) => ({
    size,
    bytes: Buffer.from(
      `User-agent: *\n${Array.from({ length: size }, (_, index) => `Disallow: ${pattern(index)}\n`).join('')}`,
    ),
  }));
const urls = Array.from(
  { length: 2_000 },
  (_, i) => `http://example.com/${((i * 10) % 20_000) * 7919}/page/${i % 97}.html`,
);
const robotsParser = PEERS.find(({ name }) => name === 'robots-parser');

async function byNumberOfRules(title, pattern) {
  const sized = makeFiles(pattern).map(({ size, bytes: content }) => ({
    size,
    ruleset: parse(content, { maxBytes: Number.POSITIVE_INFINITY }).ruleset('a'),
    robots: robotsParser.prepare(content),
  }));
  const allowed = ({ ruleset }) => urls.filter((url) => ruleset.decide(url).allowed).length;
  await compare(
    title,
    urls.length,
    sized.map((each) => ({
      name: `maycrawl, ${each.size} rules`,
      expected: allowed(each),
      run: () => allowed(each),
    })),
  );
  // It is slow, so it decides fewer URLs.
  const few = urls.slice(0, 100);
  const theirs = ({ robots }) => few.filter((url) => robotsParser.allowed(robots, 'a', url)).length;
  await compare(
    `${title}: robots-parser`,
    few.length,
    sized.map((each) => ({
      name: `robots-parser, ${each.size} rules`,
      expected: theirs(each),
      run: () => theirs(each),
    })),
  );
}

await byNumberOfRules('By the number of rules, none with a star', (index) => `/${index * 7919}/`);
await byNumberOfRules('By the number of rules, all with stars', (index) => `/*${index * 7919}/*.html$`);
