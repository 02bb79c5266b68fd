// Writes the descriptions of findings that SARIF, answers to agents and hovers of editors contain, from their pages in docs/rules: npm run rule-help.
// With --print it prints them as JSON.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'rules');
const FILE = join(ROOT, 'packages/maycrawl/src/text/rule-help.json');

/** Returns the summary and the paragraphs before the examples of each page, by the code of the finding. */
function readRuleHelp() {
  const names = readdirSync(FOLDER).filter((name) => name !== 'README.md');
  return Object.fromEntries(names.sort().map((name) => [name.replace(/\.md$/, ''), readPage(name)]));
}

function readPage(name) {
  const [head, ...paragraphs] = readFileSync(join(FOLDER, name), 'utf8')
    .split('\n## ')[0]
    .split('\n\n')
    .slice(1);
  const summary = /^\*\*\w+\*\* · (.*)$/.exec(head)?.[1];
  if (summary === undefined) throw new Error(`${name}: no summary after the severity`);
  // Links lead to other pages of the folder.
  const text = paragraphs.map((each) =>
    each
      .trim()
      .replaceAll('\n', ' ')
      .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1'),
  );
  return { summary, text: text.filter((each) => each !== '').join('\n\n') };
}

const json = `${JSON.stringify(readRuleHelp(), null, 2)}\n`;
if (process.argv[2] === '--print') process.stdout.write(json);
else writeFileSync(FILE, json);
