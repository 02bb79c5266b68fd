// The page of the documentation about the catalogue of crawlers (docs/crawlers.md).

const KIND_MEANINGS = {
  crawler: 'visits pages on its own',
  'user-triggered-fetcher': 'fetches a page because a user requests it',
  'policy-token':
    'sends no requests; its group decides how an operator may use pages that other crawlers fetch',
  software: 'a program that anyone can run',
};

const BEHAVIORS = {
  obeys: 'obeys its own group, or the group for `*` if it has none',
  'own-group-only': 'obeys only its own group, not the group for `*`',
  'may-ignore': 'does not obey robots.txt in all cases, mostly for requests of users',
  ignores: 'does not obey robots.txt',
  undocumented: 'the sources do not say it',
};

const SOURCES = {
  operator: 'a page of the operator',
  copy: 'a page of the operator that was read in a copy or in quotations; the link leads to the page of the operator',
  'third-party': 'a page or list of others',
};

/** Formats the page, given the exports of `@maycrawl/core/crawlers` and an example of a file. */
export function formatCrawlersPage(catalogue, example) {
  const { CRAWLER_RECORDS: records, PURPOSE_MEANINGS, groupByPurpose } = catalogue;
  const count = (isCounted) => records.filter(isCounted).length;
  const codes = (meanings, isOf) =>
    Object.entries(meanings).map(([code, meaning]) => `| \`${code}\` | ${meaning} | ${count(isOf(code))} |`);
  const sections = [...groupByPurpose(records)].map(([purpose, members]) =>
    formatGroup(catalogue, purpose, members),
  );
  return `# Crawlers

This page is generated from the [catalogue](../packages/core/src/crawlers/crawlers.json) by \`npm run crawlers\`. The catalogue has ${records.length} names of
crawlers: what they are for, whether they obey robots.txt, and where this is documented. The command lists them:

\`\`\`sh
npx maycrawl crawlers                                    # all
npx maycrawl crawlers --purpose ai-train                 # crawlers that collect pages to train AI models
npx maycrawl crawlers --kind policy-token --json         # names that send no requests
npx maycrawl crawlers --operator OpenAI
npx maycrawl crawlers Amazonbot GPTBot                   # also how to verify their requests, and what they do in an outage
npx maycrawl crawlers --crawlers examples/crawlers.json --operator Example   # with your own records
\`\`\`

In JavaScript, \`@maycrawl/core/crawlers\` exports the records with their types:

\`\`\`js
import { CRAWLER_RECORDS, selectCrawlers } from '@maycrawl/core/crawlers';

const tokens = selectCrawlers(CRAWLER_RECORDS, { kinds: ['policy-token'] });
console.log(tokens.map(({ token }) => token).join(', ')); // __usage_ai-training, Applebot-Extended, Google-Extended
\`\`\`

## What the columns mean

| kind | meaning | names |
|---|---|---|
${codes(
  KIND_MEANINGS,
  (code) =>
    ({ kind }) =>
      kind === code,
).join('\n')}

| purpose | the pages are for | names |
|---|---|---|
${codes(
  PURPOSE_MEANINGS,
  (code) =>
    ({ purposes }) =>
      purposes.includes(code),
).join('\n')}

A name can have several purposes. The main one is first, and a table below lists the name under it.

| robots.txt | meaning | names |
|---|---|---|
${codes(
  BEHAVIORS,
  (code) =>
    ({ robotsTxt }) =>
      robotsTxt === code,
).join('\n')}

| source | meaning | names |
|---|---|---|
${codes(
  SOURCES,
  (code) =>
    ({ sources }) =>
      sources[0]?.kind === code,
).join('\n')}
| none | no source was found; the name is known from older lists | ${count(({ sources }) => sources.length === 0)} |

A source has the date on which it was looked up. What an operator writes is what it promises, not what it does, and others may send requests under its name.

## What a verdict takes from the catalogue

Names in **bold** are in \`CRAWLERS\` of \`@maycrawl/core\`: \`--agent NAME\` decides for them with their fallbacks, and they ignore \`*\` or robots.txt if their operator
says so. For all other names a verdict is that of a crawler that obeys its own group, else the group for \`*\`, whatever this page says.

## Your own records

\`maycrawl crawlers --crawlers FILE\` reads a JSON file with at most 1 MB in the [same form](../packages/core/src/crawlers/crawlers.schema.json). A record with the name of one in the
catalogue replaces it. \`maycrawl preferences --crawlers FILE\` reads the policy tokens of such a file beside the known ones. Their \`governs\` lists the crawlers whose pages
they are about; without it they are about the pages of all crawlers.

\`\`\`json
${example.trimEnd()}
\`\`\`

${sections.join('\n')}`;
}

function formatGroup({ PURPOSE_MEANINGS }, purpose, members) {
  const title =
    purpose === null ? 'No purpose is documented' : `\`${purpose}\`: ${PURPOSE_MEANINGS[purpose]}`;
  return `## ${title}

| name | operator | kind | further purposes | robots.txt | | source |
|---|---|---|---|---|---|---|
${members.map(formatRow).join('\n')}
`;
}

function formatRow({
  token,
  rank,
  fallbacks,
  header,
  operator,
  kind,
  purposes,
  robotsTxt,
  retired,
  announced,
  description,
  sources,
}) {
  const since = retired?.since ? ` since ${retired.since}` : '';
  const cells = [
    rank === undefined ? `\`${token}\`` : `**\`${token}\`**`,
    operator,
    [
      kind,
      ...(retired === undefined ? [] : [`retired${since}`]),
      ...(announced ?? []).map(formatAnnouncement),
    ].join(', '),
    purposes.slice(1).join(', '),
    fallbacks === undefined ? robotsTxt : `${robotsTxt}; falls back to ${fallbacks.join(', ')}`,
    header === null && kind !== 'policy-token' ? `${description} No request has this name.` : description,
    sources.map(({ url, kind: type, date }) => `[${type}, ${date}](${url})`).join('; ') || 'none',
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatAnnouncement({ operator, date, url }) {
  return `announced by [${operator}, ${date}](${url})`;
}
