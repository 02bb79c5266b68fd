// Writes what derives from the catalogue of crawlers (packages/core/src/crawlers/crawlers.json): its page of the documentation, that of the
// operators, the crawlers, names and policy tokens of @maycrawl/core: npm run crawlers.
// With --print it prints them as JSON.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { formatCrawlersPage } from './crawlers-page.mjs';
import { formatOperatorsPage } from './operators-page.mjs';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const CORE = join(ROOT, 'packages/core/src');
const EXAMPLE = join(ROOT, 'examples/crawlers.json');
const PAGE = join(ROOT, 'docs/crawlers.md');
const OPERATORS_PAGE = join(ROOT, 'docs/operators.md');
const CATALOGUE = join(CORE, 'crawler/catalogue-data.ts');
const AI_TOKENS = join(CORE, 'lint/ai-tokens.ts');
const POLICY_TOKENS = join(CORE, 'preferences/policy-token-data.ts');

/** Loads a module from its source. */
async function loadSource(path) {
  const entryPoints = [join(ROOT, path)];
  const { outputFiles } = await build({ entryPoints, bundle: true, write: false, format: 'esm' });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** Returns the crawlers of @maycrawl/core by operator and source: each as its token, or as a pair of name and other properties. */
function toCatalogueData({ CRAWLER_RECORDS, toDocumentedCrawler }) {
  const ranked = CRAWLER_RECORDS.filter(({ rank }) => rank !== undefined).sort((a, b) => a.rank - b.rank);
  const groups = [];
  for (const record of ranked) {
    const { name, operator, tokens, obeys, header, source } = toDocumentedCrawler(record);
    const further = {
      ...(tokens.join() !== name && { tokens }),
      ...(obeys !== 'rules' && { obeys }),
      ...(header !== name && { header }),
    };
    const last = groups.at(-1);
    const isSame = last?.[0] === operator && last[1] === source;
    if (!isSame) groups.push([operator, source]);
    groups.at(-1).push(Object.keys(further).length === 0 ? name : [name, further]);
  }
  return groups;
}

/** Returns the tokens that are not in the catalogue of @maycrawl/core. They are also the names in User-Agent headers. */
function toFurtherTokens({ CRAWLER_RECORDS }) {
  const further = CRAWLER_RECORDS.filter(({ rank }) => rank === undefined);
  const other = further.find(({ token, header = token }) => header !== token);
  if (other !== undefined) throw new Error(`${other.token} has another name in headers: give it a rank`);
  return further.map(({ token }) => token);
}

/** Returns the tokens of crawlers that fetch pages for AI. Those that no request has, or that are retired, are not in the list. */
function toAiTokens({ CRAWLER_RECORDS, selectCrawlers }) {
  return selectCrawlers(CRAWLER_RECORDS, {
    purposes: ['ai-train', 'ai-input'],
    kinds: ['crawler', 'user-triggered-fetcher', 'software'],
  }).flatMap(({ token, retired }) => (retired === undefined ? [token] : []));
}

/** Returns the policy tokens, which `readPreferences` reads without the catalogue. Those that govern most crawlers come first. */
function toPolicyTokens({ CRAWLER_RECORDS, selectCrawlers, toPolicyToken }) {
  const tokens = selectCrawlers(CRAWLER_RECORDS, { kinds: ['policy-token'] }).map(toPolicyToken);
  return tokens.toSorted((a, b) => (b.governs ?? []).length - (a.governs ?? []).length);
}

function formatPolicyTokens(policyTokens) {
  return `// The known policy tokens, written from \`crawlers/crawlers.json\` by \`npm run crawlers\`.
import { freezeDeep } from '../bytes/freeze.ts';
import type { PolicyToken } from '../crawler/policy-token.ts';

/** The known policy tokens, those of the catalogue of crawlers. */
export const POLICY_TOKENS: readonly PolicyToken[] = /* @__PURE__ */ freezeDeep(${JSON.stringify(policyTokens)});
`;
}

function formatCatalogueData(groups, furtherTokens) {
  return `// The data of the catalogue, written from \`crawlers/crawlers.json\` by \`npm run crawlers\`.
import type { Crawler } from './crawler.ts';

/** A crawler whose only token is its name, or a name with the properties that differ. */
type CatalogueItem =
  | string
  | readonly [name: string, further: Partial<Pick<Crawler, 'tokens' | 'obeys'>> & { readonly header?: string | null }];

/** Crawlers by operator and source. */
export const CATALOGUE_DATA: readonly (readonly [operator: string, source: string, ...CatalogueItem[]])[] = ${JSON.stringify(groups)};

const FURTHER = \`
${wrap(furtherTokens.join(' '), 110)}
\`;

/** The tokens of documented crawlers that the catalogue does not contain, in alphabetical order. They are also their names in headers. */
export const FURTHER_TOKENS: readonly string[] = /* @__PURE__ */ Object.freeze(FURTHER.trim().split(/\\s+/));
`;
}

function formatAiTokens(tokens) {
  return `// Crawlers that fetch pages for AI, written from \`crawlers/crawlers.json\` by \`npm run crawlers\`.
const TOKENS = \`
${wrap(tokens.join(' '), 110)}
\`;

/** The tokens of crawlers that fetch pages to train AI models or for their answers, in lower case. */
export const AI_TOKENS: ReadonlySet<string> = /* @__PURE__ */ new Set(TOKENS.trim().toLowerCase().split(/\\s+/));
`;
}

/** Breaks a text into lines at spaces. */
function wrap(text, width) {
  const lines = [''];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line === '') lines[lines.length - 1] = word;
    else if (line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines.join('\n');
}

const source = await loadSource('packages/core/src/crawlers.ts');
const page = formatCrawlersPage(source, readFileSync(EXAMPLE, 'utf8'));
const operatorsPage = formatOperatorsPage(
  source,
  await loadSource('packages/maycrawl/src/text/operators.ts'),
);
const catalogue = toCatalogueData(source);
const furtherTokens = toFurtherTokens(source);
const aiTokens = toAiTokens(source);
const policyTokens = toPolicyTokens(source);
if (process.argv[2] === '--print')
  console.log(JSON.stringify({ page, operatorsPage, catalogue, furtherTokens, aiTokens, policyTokens }));
else {
  writeFileSync(PAGE, page);
  writeFileSync(OPERATORS_PAGE, operatorsPage);
  writeFileSync(CATALOGUE, formatCatalogueData(catalogue, furtherTokens));
  writeFileSync(AI_TOKENS, formatAiTokens(aiTokens));
  writeFileSync(POLICY_TOKENS, formatPolicyTokens(policyTokens));
  execFileSync('npx', ['biome', 'check', '--write', CATALOGUE, AI_TOKENS, POLICY_TOKENS], {
    cwd: ROOT,
    stdio: 'inherit',
  });
}
