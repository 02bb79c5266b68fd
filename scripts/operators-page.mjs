// The page of the documentation about operators of crawlers (docs/operators.md).

/** Formats the page, given the exports of `@maycrawl/core/crawlers` and the sentences about operators. */
export function formatOperatorsPage(
  { OPERATOR_RECORDS: records, findOperator, CRAWLER_RECORDS: crawlers },
  texts,
) {
  const rows = records.map((record) => formatRecord(record, texts));
  const verifiable = crawlers.filter(({ token }) => findOperator(token)?.verification.length > 0).length;
  return `# Operators

This page is generated from the [records of operators](../packages/core/src/crawlers/operators.json) by \`npm run crawlers\`. They say how requests of a crawler can be
verified, how long its operator uses a robots.txt, what it does when robots.txt fails, and whether it obeys \`Crawl-delay\`. The requests of ${verifiable} crawlers of the
[catalogue](crawlers.md) can be verified.

\`\`\`js
import { findOperator } from '@maycrawl/core/crawlers';

const { verification, crawlDelay } = findOperator('bingbot');
console.log(crawlDelay); // inherits-default
console.log('ranges' in verification[0]); // true
\`\`\`

No list of addresses is part of maycrawl: lists change daily. \`maycrawl logs ranges update FOLDER\` fetches them.

## What the columns mean

- **crawlers**: a row with names is about them. A row for "all others" is about all crawlers of the operator that no row names, and the other rows of the operator have from it what
  they lack.
- **verification**: a link is a list of addresses that the operator publishes; "in part" says that the list does not have all of them. \`*.example.com\` is the name of a host in
  reverse DNS, which a forward lookup must confirm. "signed as" is the origin that signed requests name (Web Bot Auth). "none": no method is documented.
- **cache**: how long the operator uses a robots.txt that it has fetched. 24 hours if nothing is documented (RFC 9309).
- **Crawl-delay**: \`obeys\`, \`ignores\`, or \`inherits-default\`: obeys that of the group for \`*\`, too, if its own group has none. Empty: not documented.
- **outages**: what the crawler does when the request for robots.txt fails: after a 4xx status other than 429 ("unavailable"), and after a 5xx status, 429 or no response
  ("unreachable"). Empty: not documented.
- **source**: as on the page about [crawlers](crawlers.md).

What is not documented is not in a row. What an operator writes is what it promises.

## Operators

| operator | crawlers | verification | cache | Crawl-delay | outages | source |
|---|---|---|---|---|---|---|
${rows.join('\n')}

## Verify requests

**Lists of addresses.** \`maycrawl logs ranges update FOLDER\` stores the lists of a day as \`FOLDER/GPTBot/2026-11-28.json\`, with their SHA-256 in a file beside it, and keeps those of
earlier days: run it once a day. A request is compared with the newest list of a day that is not after it. A request before the first list is not checked. A list that cannot be
read, or is empty, never replaces another one, and the exit code is 2. Lists of your own can be in the folder, too, also as text (\`2026-11-28.txt\`) or as a geofeed (\`.csv\`).
\`maycrawl logs ranges list FOLDER\` prints what the folder has.

**DNS.** The address must have a name of the operator, and this name must have the address. Lookups take place at most 20 times a second. Their results can also come from a file
with one lookup a line, without a network: the address, its name (\`-\`: it has none), and the addresses of the name, with tabs between them, or a JSON object.

\`\`\`text
66.249.66.1	crawl-66-249-66-1.googlebot.com	66.249.66.1
192.0.2.7	-
{"address":"157.55.39.1","name":"msnbot-157-55-39-1.search.msn.com","addresses":["157.55.39.1"]}
\`\`\`

**Signatures** (Web Bot Auth): the log must have the fields Signature, Signature-Input and Signature-Agent. A folder has the keys of agents as JSON Web Key Sets, in files with the
names of their hosts: \`FOLDER/agent.bot.goog.json\`. A signature counts only if it is of an agent in the row of the crawler: anyone can sign as an agent of their own.

## Your own records

A crawler that publishes a Signature Agent Card describes itself: [\`maycrawl identity record\`](identity.md#what-a-site-sees) prints the card as such a file.

The files of \`--crawlers FILE\` can have a list \`operators\` in the [same form](../packages/core/src/crawlers/crawlers.schema.json). Its records come before those of this page.

\`\`\`json
{
  "crawlers": [],
  "operators": [
    {
      "operator": "Example",
      "crawlers": ["ExampleBot"],
      "verification": [{ "ranges": "https://example.com/bot.json", "format": "json" }, { "dns": ["*.bot.example.com"] }],
      "sources": []
    }
  ]
}
\`\`\`

| format | list |
|---|---|
| \`json\` | an object with \`prefixes\`, each with \`ipv4Prefix\` or \`ipv6Prefix\` (draft-illyes-webbotauth-jafar) |
| \`text\` | a prefix or an address a line; comments begin with \`#\` |
| \`geofeed\` | CSV with the prefix in the first column (RFC 8805) |
`;
}

function formatRecord(record, { describePhases, formatPeriod }) {
  const { operator, crawlers, verification, cachePeriod, crawlDelay, whenUnavailable, whenUnreachable } =
    record;
  const cells = [
    operator,
    crawlers?.map((token) => `\`${token}\``).join(', ') ?? 'all others',
    verification === undefined ? '' : verification.map(formatMethod).join('; ') || 'none',
    cachePeriod === undefined ? '' : formatPeriod(cachePeriod),
    crawlDelay ?? '',
    [
      ...(whenUnavailable ? [`unavailable: ${describePhases(whenUnavailable)}`] : []),
      ...(whenUnreachable ? [`unreachable: ${describePhases(whenUnreachable)}`] : []),
    ].join('; '),
    record.sources.map(({ url, kind, date }) => `[${kind}, ${date}](${url})`).join('; '),
  ];
  return `| ${cells.join(' | ')} |`;
}

function formatMethod({ ranges, partial, dns, signature }) {
  if (ranges !== undefined)
    return `[${new URL(ranges).pathname.split('/').at(-1)}](${ranges})${partial ? ' in part' : ''}`;
  if (dns !== undefined) return dns.map((mask) => `\`${mask}\``).join(', ');
  return `signed as \`${signature}\``;
}
