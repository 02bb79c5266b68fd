// Finds phrases that the glossary replaces, in all files but those that cspell.json excludes. cspell's `flagWords` can only
// forbid single words.
// cspell:disable
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Phrases, and the words to use instead. */
const PHRASES = new Map([
  ['at once', 'fast path, concurrently, immediately'],
  ['comes of', 'result, outcome'],
  ['came of', 'result, outcome'],
  ['dead rule', 'redundant rule, unreachable rule'],
  ['gone on with', 'resumed'],
  ['left out', 'omitted'],
  ['so long', 'a duration'],
  ['so many', 'a count'],
  ['taken on', 'claimed'],
  ['that are none', 'not a ...'],
  ['that is none', 'not a ...'],
  ['what holds', 'effective policy'],
  ['which is none', 'not a ...'],
  ['who asks', 'the client, the caller'],
]);

const pattern = new RegExp(
  `\\b(?:${[...PHRASES.keys()].map((each) => each.replaceAll(' ', '\\s+(?:[/*#]+\\s+)?')).join('|')})\\b`,
  'gi',
);
const { ignorePaths } = JSON.parse(readFileSync('cspell.json', 'utf8'));
const excluded = ignorePaths.map((path) => `:!:${path}`);
const files = execFileSync('git', ['ls-files', '-z', '--', ...excluded], { encoding: 'utf8' });

let count = 0;
for (const file of files.split('\0').filter((name) => /\.(?:ts|tsx|mjs|js|md|json|html|css)$/.test(name))) {
  const text = readFileSync(file, 'utf8');
  for (const { 0: found, index } of text.matchAll(pattern)) {
    const phrase = found.toLowerCase().replace(/\s+(?:[/*#]+\s+)?/g, ' ');
    const line = text.slice(0, index).split('\n').length;
    console.error(`${file}:${line}: "${phrase}": write ${PHRASES.get(phrase)}`);
    count++;
  }
}
process.exitCode = count === 0 ? 0 : 1;
