// Writes the descriptions of findings that SARIF contains, from their pages in docs/rules: npm run rule-help.
// With --print it prints them as JSON.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const FOLDER = join(ROOT, 'docs', 'rules');
const MODULE = join(ROOT, 'packages/maycrawl/src/cli/commands/lint/rule-help.ts');

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

if (process.argv[2] === '--print') console.log(JSON.stringify(readRuleHelp()));
else {
  writeFileSync(
    MODULE,
    `/**
 * Descriptions of findings, written from docs/rules by \`npm run rule-help\`.
 *
 * @module
 */
import type { FindingCode } from '@maycrawl/core/lint';

/** What a finding means, and what to do. */
export interface RuleHelp {
  /** A phrase without full stop. */
  readonly summary: string;
  /** Paragraphs in Markdown. */
  readonly text: string;
}

/** The descriptions by their codes, in alphabetical order. */
export const RULE_HELP: Readonly<Record<FindingCode, RuleHelp>> = ${JSON.stringify(readRuleHelp(), null, 2)};
`,
  );
  execFileSync('npx', ['biome', 'check', '--write', MODULE], { cwd: ROOT, stdio: 'inherit' });
}
