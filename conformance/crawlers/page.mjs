// The page docs/crawler-conformance.md, from the scenarios and the results of crawlers.
const NAMES = { all: 'all pages', none: 'no page', private: 'what the file disallows' };
const OUTCOMES = ['passed', 'over-cautious', 'failed'];

const formatTable = (head, rows) =>
  [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |\n`).join('');

/** What an authority forbids, and by which section: in the last phase. */
function formatRequirement({ phases }, authority) {
  const { forbidden, source } = phases.at(-1)[authority];
  return `${NAMES[forbidden]} (${source.replace(/^RFC 9309 section |^How Google.*?\), /, '')})`;
}

/** The outcome, or both if the authorities differ. */
function formatOutcome({ rfc9309, google, robotsRequests }) {
  const outcome = rfc9309 === google ? rfc9309 : `${rfc9309} / ${google}`;
  return robotsRequests > 1 ? `${outcome} (${robotsRequests} requests)` : outcome;
}

const count = ({ scenarios }, authority, outcome) =>
  Object.values(scenarios).filter((each) => each[authority] === outcome).length;

/** @param results - what run.mjs has written. @throws {Error} if a crawler has no result for a scenario. */
export function formatPage(scenarios, results) {
  for (const { name, scenarios: own } of results)
    for (const { id } of scenarios)
      if (own[id] === undefined)
        throw new Error(`${name} has no result for ${id}: npm run conformance:crawlers`);
  const expectations = scenarios.map((each) => [
    `\`${each.id}\``,
    each.title,
    formatRequirement(each, 'rfc9309'),
    formatRequirement(each, 'google'),
  ]);
  const totals = results.map((crawler) => [
    crawler.name,
    crawler.version,
    crawler.date,
    ...['rfc9309', 'google'].flatMap((authority) =>
      OUTCOMES.map((outcome) => count(crawler, authority, outcome)),
    ),
  ]);
  const outcomes = scenarios.map(({ id }) => [
    `\`${id}\``,
    ...results.map((crawler) => formatOutcome(crawler.scenarios[id])),
  ]);
  return `# How crawlers treat robots.txt

\`maycrawl conformance serve\` is a referee for crawlers. It serves ${scenarios.length} sites on 127.0.0.1, each with a robots.txt that crawlers often get wrong: status
codes, redirects, failures, forms of the file, groups and caching. Point any crawler at them; the report names the pages that it must not
have requested, by RFC 9309 and by Google's documentation, those that it missed, and how often it fetched robots.txt.

How parsers read the same file is [on another page](implementations.md).

## Test a crawler

\`\`\`bash
npx maycrawl conformance serve --agent MyBot
\`\`\`

The list of the sites is at \`http://127.0.0.1:8900/\`, and their start pages, one a line, at \`/urls.txt\`. Each start page links to the pages of its site. Let the
crawler begin there, with a depth of one link and links to other ports allowed. The report is at \`/report\` and \`/report.json\`, and Ctrl-C prints it (\`--json\`: as JSON).
[crawler-conformance.schema.json](crawler-conformance.schema.json) is the JSON Schema of the report, also as \`CONFORMANCE_REPORT\` of \`maycrawl/api\`, with the type \`ConformanceReport\`.

- \`--agent\` is the product token of the crawler. Without it, sites whose file names the crawler are omitted.
- \`--idle 30s\` ends the command after 30 seconds without a request, for scripts. The exit code is 0 if nothing was requested that is forbidden by RFC 9309
  (\`--profile google\`: by Google's documentation), 1 if something was, and 2 if there was no request.
- \`--scenario ID\`, which can be repeated, serves only some of the sites. \`--port 0\` takes free ports; by default each site has two ports after 8900.

For example, four sites for wget, which is always named \`wget\`, and obeys robots.txt when it downloads recursively:

\`\`\`bash
npx maycrawl conformance serve --agent wget --scenario status-404 --scenario status-503 --scenario query --scenario first-match
\`\`\`

In another terminal:

\`\`\`bash
wget --quiet --output-document=- http://127.0.0.1:8900/urls.txt |
  wget --quiet --recursive --level=1 --span-hosts --timeout=3 --tries=1 --delete-after --no-directories --input-file=-
wget --quiet --output-document=- http://127.0.0.1:8900/report
\`\`\`

\`\`\`text
passed: status-404, 404, with a body that disallows all URLs
  1 request for robots.txt; 4 requests for pages
failed: status-503, 503, with a body that allows all URLs
  1 request for robots.txt; 4 requests for pages
  forbidden by RFC 9309 section 2.3.1.4: /open/1 /open/2 /private/1 /private/2
failed: query, a rule about the query
  1 request for robots.txt; 4 requests for pages
  forbidden by RFC 9309 section 2.2.2: /list?filter=1 /list?filter=2
failed: first-match, a longer disallow rule after an allow rule
  1 request for robots.txt; 4 requests for pages
  forbidden by RFC 9309 section 2.2.2: /private/1 /private/2

User-Agent: Wget/1.21.3
RFC 9309: 1 passed, 3 failed
Google: 1 passed, 3 failed
\`\`\`

wget requests all pages of a site whose robots.txt has the status 503, reads no query, and obeys the first rule that matches instead of the longest one. Without \`--scenario\`
it visits all ${scenarios.length} sites ([results](#results)).

An outcome is one of:

| outcome | |
| --- | --- |
| \`passed\` | all pages were requested that may be, and no other |
| \`failed\` | a page was requested that must not be, at that time |
| \`over-cautious\` | a page was not requested that may be; that violates no document, and can be a limit of the crawl |
| \`not-visited\` | neither robots.txt nor the start page was requested |

The start page itself is not judged: you gave it to the crawler. \`beforeRobots\` lists pages that were requested before robots.txt, \`earlyRequests\` counts requests before
the time of \`Retry-After\`, \`conditionalRequests\` those with a validator, and \`cached\` says whether one response was used for several pages. RFC 9309 permits
a cache and does not require it.

## What is required

What a crawler must not request after the response to robots.txt. A status 429 is the only response here about which the documents differ.

${formatTable(['scenario', 'robots.txt', 'RFC 9309 forbids', 'Google forbids'], expectations)}
Sections of Google are those of [How Google interprets the robots.txt specification](https://developers.google.com/crawling/docs/robots-txt/robots-txt-spec), as of 2026-04-14.
"All pages" of an unreachable file is what applies at first: after 12 hours (Google) or 30 days (RFC 9309) of an outage other rules apply, which no short
test can show; \`conformance/fetching.jsonl\` has them. \`outage-ends\` is judged by the last response that the crawler has received.

The expectations are tested: each has the same result as the row of \`conformance/fetching.jsonl\` that it names, and the client passes under the profile of each document.

## Results

| crawler | version | run on | RFC 9309: passed | over-cautious | failed | Google: passed | over-cautious | failed |
| --- | --- | --- | --- | --- | --- | --- | --- | --- |
${totals.map((cells) => `| ${cells.join(' | ')} |\n`).join('')}
\`npm run conformance:crawlers\` runs them, and writes this page. Two outcomes are those by RFC 9309 and by Google; the number is that of requests for robots.txt, if there
was more than one.

${formatTable(['scenario', ...results.map(({ name }) => name)], outcomes)}
- The client requests no page of a site whose robots.txt cannot be fetched, and returns when to try again. Here nothing waits for that, so that \`outage-ends\` shows no page.
- Crawlee (CheerioCrawler with \`respectRobotsTxtFile\`) reads the body of a response with 4xx as rules, and requests all pages after a response with 5xx, and if robots.txt cannot be
  fetched. If the connection stays open without a response, it waits: it is ended after 30 seconds. It does not follow links to other ports, which is a limit of the crawl.
- wget reads rules of the first matching line, and no query. If robots.txt cannot be fetched, it requests all pages.
`;
}
