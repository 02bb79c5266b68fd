// The page "How robots.txt implementations differ" (docs/implementations.md), from the cases and the results.
import { IMPLEMENTATIONS } from './implementations.mjs';
import { AGENT, DIGEST, RECORDED, TOPICS } from './questions.mjs';
import { formatContent, formatUrl } from './visible-text.mjs';

const CASES = TOPICS.flatMap(({ cases }) => cases);
/** What is compared with: not among "other implementations". */
const REFERENCES = ['google', 'maycrawl', 'maycrawl-rfc9309'];
const toVerdict = (allowed) => (allowed ? 'allowed' : 'disallowed');
const isVerdict = (result) => result === 'allowed' || result === 'disallowed';
const isComparable = (result) => !result.startsWith('not comparable');
const formatNumber = (number) => number.toLocaleString('en-US');

/**
 * Formats the page.
 *
 * @param results - the results that run.mjs has written, by the id of the implementation.
 * @throws {Error} if an implementation has no results for the present cases.
 */
export function formatPage(results) {
  const rows = IMPLEMENTATIONS.map((implementation) => ({
    ...implementation,
    ...results[implementation.id],
  }));
  for (const { id, questions } of rows)
    if (questions !== DIGEST)
      throw new Error(`${id} has results for other cases: run it again (docs/implementations.md, "Method")`);
  const parts = [formatIntroduction, formatSummary, formatRisks, formatDisputes, formatDeviations];
  const topics = TOPICS.map((topic) => formatTopic(topic, rows));
  return [...parts.map((format) => format(rows)), ...topics, formatMethod(rows)].join('\n');
}

const formatTable = (head, rows) =>
  [head, head.map((_, index) => (index === 0 ? '---' : ':-:')), ...rows]
    .map((cells) => `| ${cells.join(' | ')} |\n`)
    .join('');

/** A link to a case. GitHub derives the anchor from the heading. */
function linkCase({ title }) {
  const anchor = title
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-');
  return `[${title}](#${anchor})`;
}

const countCases = (list, { cases }, expect) => {
  const comparable = list.filter(({ id }) => isComparable(cases[id]));
  return `${comparable.filter((each) => cases[each.id] === expect(each)).length} of ${comparable.length}`;
};

const isDecided = ({ rfc9309 }) => rfc9309.allowed !== null;
const findGoogle = (rows) => rows.find(({ id }) => id === 'google').cases;
const joinNames = (rows) => rows.map(({ name }) => name).join(', ');

function formatIntroduction(rows) {
  const others = rows.filter(({ id }) => !id.startsWith('maycrawl'));
  const languages = [...new Set(others.map(({ language }) => language))];
  return `# How robots.txt implementations differ

${others.length} implementations in ${languages.length} languages (${languages.join(', ')}) and this project answer the same
${CASES.length} questions: may \`${AGENT}\` fetch this URL, by this robots.txt? RFC 9309 answers ${CASES.filter(isDecided).length} of them, and is silent about the others.
Google's answer is that of the C++ matcher that Google has published, compiled and run. The implementations also answer ${formatNumber(RECORDED.length)}
questions about generated files, for which the verdicts of that matcher are recorded (\`conformance/google-reference.jsonl\`).

\`conformance/implementations\` contains the questions, the adapters and the results; \`npm run conformance:implementations\` runs all again, and writes
this page ([method](#method)). How crawlers treat status codes, redirects and failures is [on another page](crawler-conformance.md).
`;
}

function formatSummary(rows) {
  const google = findGoogle(rows);
  const body = rows.map((row) => {
    const { name, language, version, date, recorded } = row;
    const counts = recorded && [recorded.equal, recorded.allowed, recorded.disallowed, recorded.errors];
    return [
      name,
      language,
      version,
      date,
      countCases(CASES.filter(isDecided), row, ({ rfc9309 }) => toVerdict(rfc9309.allowed)),
      countCases(CASES, row, (each) => google[each.id]),
      ...(counts?.map(formatNumber) ?? ['-', '-', '-', '-']),
    ];
  });
  const sources = rows.map(
    ({ name, source, users }) => `- ${name}: ${source}${users === '' ? '' : `. Used by ${users}`}.\n`,
  );
  const head = [
    'implementation',
    'language',
    'version',
    'run on',
    'as RFC 9309',
    'as Google',
    'recorded: equal',
    'allowed, Google disallows',
    'disallowed, Google allows',
    'no answer',
  ];
  const asNames = rows.find(({ id }) => id === 'maycrawl').recordedAsNames;
  return `## Summary

${formatTable(head, body)}
"As RFC 9309" counts the cases that the RFC answers, "as Google" all cases; cases that are no question for an implementation do not count. The
recorded files are generated to be difficult: the figures say how much implementations differ, not how often that happens on real sites.

In recorded questions, agents are texts as Google's matcher takes them, so this project is called with \`{ tokens }\`. With the names of crawlers,
which have fallbacks (Googlebot Image obeys groups for Googlebot), it has ${formatNumber(RECORDED.length - asNames.equal)} other verdicts. A complete implementation of the RFC differs from Google's matcher, too:
the profile \`rfc9309\` shows how much.

${sources.join('')}`;
}

/** Cases in which implementations allow what the RFC and Google forbid. */
function formatRisks(rows) {
  const google = findGoogle(rows);
  const others = rows.filter(({ id }) => !REFERENCES.includes(id));
  const body = CASES.filter(({ id, rfc9309 }) => rfc9309.allowed === false && google[id] === 'disallowed')
    .map((each) => ({ each, open: others.filter(({ cases }) => cases[each.id] === 'allowed') }))
    .filter(({ open }) => open.length > 0)
    .sort((a, b) => b.open.length - a.open.length)
    .map(({ each, open }) => [linkCase(each), open.length, joinNames(open)]);
  return `## Where implementations fetch what is forbidden

RFC 9309 and Google forbid the URL, and the implementation allows it, of ${others.length} other implementations:

${formatTable(['case', 'count', 'implementations'], body)}`;
}

/** Cases in which no authority decides alone. */
function formatDisputes(rows) {
  const google = findGoogle(rows);
  const others = rows.filter(({ id }) => !REFERENCES.includes(id));
  const count = (id, result) => others.filter(({ cases }) => cases[id] === result).length;
  const toRow = (each) => [
    linkCase(each),
    each.rfc9309.allowed === null ? 'silent' : toVerdict(each.rfc9309.allowed),
    google[each.id],
    count(each.id, 'allowed'),
    count(each.id, 'disallowed'),
  ];
  const contradictions = CASES.filter(
    (each) => isDecided(each) && google[each.id] !== toVerdict(each.rfc9309.allowed),
  );
  const silent = CASES.filter(
    (each) => !isDecided(each) && count(each.id, 'allowed') * count(each.id, 'disallowed') > 0,
  );
  const documented = CASES.filter(({ documentation }) => documentation !== undefined);
  const notes = documented.map((each) => `- ${linkCase(each)}: ${each.documentation.note}\n`).join('');
  return `## Disputed cases

Google's matcher contradicts RFC 9309 in ${contradictions.length} cases. In ${silent.length} others the RFC is silent, and implementations disagree. Owners should not depend on either.

${formatTable(['case', 'RFC 9309', 'Google', 'others allow', 'others disallow'], [...contradictions, ...silent].map(toRow))}
Google's documentation differs from its matcher:

${notes}`;
}

function formatDeviations(rows) {
  const google = findGoogle(rows);
  const [ours, rfc] = REFERENCES.slice(1).map((name) => rows.find(({ id }) => id === name).cases);
  const lines = CASES.filter(({ maycrawl }) => maycrawl !== undefined).map(
    (each) => `- ${linkCase(each)}: ${ours[each.id]}; Google: ${google[each.id]}. ${each.maycrawl}\n`,
  );
  const differences = CASES.filter(({ id }) => ours[id] !== google[id]).length;
  const rfcDifferences = CASES.filter(
    (each) => isDecided(each) && ours[each.id] !== toVerdict(each.rfc9309.allowed),
  ).length;
  const strict = CASES.filter(
    (each) => isDecided(each) && rfc[each.id] !== toVerdict(each.rfc9309.allowed),
  ).length;
  return `## Deviations of this project

The default profile follows Google's matcher. It has another verdict than the matcher in ${differences} cases, and another one than RFC 9309 in ${rfcDifferences}. The profile
\`rfc9309\` has another verdict than the RFC in ${strict === 0 ? 'none' : strict}.

${lines.join('')}`;
}

function formatTopic({ title, cases }, rows) {
  const body = cases.map((each) => [
    linkCase(each),
    each.rfc9309.allowed === null ? 'silent' : toVerdict(each.rfc9309.allowed),
    ...rows.map((row) => formatCell(each, row)),
  ]);
  return `## ${title}

${formatTable(['case', 'RFC 9309', ...rows.map(({ name }) => name)], body)}
${cases.map((each) => formatCase(each, rows)).join('\n')}`;
}

/** A letter; bold if RFC 9309 has another verdict. */
function formatCell({ id, rfc9309 }, { cases }) {
  const result = cases[id];
  if (!isComparable(result)) return '-';
  const letter = isVerdict(result) ? result[0].toUpperCase() : 'none';
  return rfc9309.allowed === null || result === toVerdict(rfc9309.allowed) ? letter : `**${letter}**`;
}

function formatCase(each, rows) {
  const { id, title, why, rfc9309, agent = AGENT, documentation, maycrawl } = each;
  const content = formatContent(each);
  const failures = rows.filter(({ cases }) => !isVerdict(cases[id]) && isComparable(cases[id]));
  const rfc = rfc9309.allowed === null ? 'silent' : `**${toVerdict(rfc9309.allowed)}**`;
  const lines = [
    `RFC 9309 (section ${rfc9309.section}): ${rfc}. ${rfc9309.note}`,
    `Google: **${findGoogle(rows)[id]}**.${documentation === undefined ? '' : ` ${documentation.note}`}`,
    formatAgreement(id, rows),
    ...failures.map(({ name, cases }) => `No answer of ${name}: \`${cases[id].replaceAll('`', "'")}\`.`),
    ...(maycrawl === undefined ? [] : [`This project: ${maycrawl}`]),
  ];
  const end = content.endsWith('\n') ? '' : '; the last line has no end';
  return `### ${title}

\`\`\`text
${content}${content.endsWith('\n') ? '' : '\n'}\`\`\`

\`${agent}\`, \`${formatUrl(each.url)}\`${end}. ${why}

${lines.map((line) => `- ${line}\n`).join('')}`;
}

/** Who agrees: the smaller group by name. */
function formatAgreement(id, rows) {
  const [few, most] = ['allowed', 'disallowed']
    .map((result) => ({
      result,
      names: rows.filter(({ cases }) => cases[id] === result).map(({ name }) => name),
    }))
    .sort((a, b) => a.names.length - b.names.length);
  if (few.names.length === 0)
    return `All ${most.names.length} implementations with a verdict agree: ${most.result}.`;
  return `${few.names.length} of ${few.names.length + most.names.length}: ${few.result} by ${few.names.join(', ')}; ${most.result} by the others.`;
}

function formatMethod(rows) {
  const versions = rows.map(({ id, version }) => [id, version]);
  const google = Object.fromEntries(versions).google;
  return `## Method

On Debian 12, as root:

\`\`\`bash
apt-get install python3-protego libwww-robotrules-perl ruby-webrobots wget g++ libabsl-dev
git clone https://github.com/google/robotstxt
npm ci && npm run build
npm run conformance:implementations -- --robotstxt robotstxt
\`\`\`

It takes two minutes. Without \`--robotstxt\`, the verdicts of Google's matcher remain those of commit ${google}. \`--only protego\` runs one
implementation, \`--python PATH\` another Python, and \`--page\` only writes the page. \`npm ci\` installs the libraries of npm.

- An adapter is a program of some lines that calls the documented function of a library with the bytes of the file, the agent and the URL. A library
  that takes a string gets the bytes decoded as UTF-8, as \`Response.text()\` does it, which removes a byte order mark. An adapter for another
  implementation reads questions as JSON, one a line, writes an answer for each, and has an entry in \`implementations.mjs\`.
- An implementation that has not answered after five seconds is ended, and continues with the next question. The table has "none" for it, and for an exception.
- wget is run as a crawler: a page links to the URL, on a host of its own behind a proxy on loopback. wget obeys groups for \`wget\` whatever User-Agent it
  sends, so that \`${AGENT}\` is replaced in the file. Questions about similar names, and URLs that wget does not request at all, are no question for it ("-").
- webrobots allows all URLs if it cannot parse a file; such a verdict counts as "allowed", because a crawler would act so.
- Versions are those of the distribution and the newest of npm, and not always the newest that exist. Python's \`urllib.robotparser\` has followed RFC 9309 since 2026
  ([pull request 138908](https://github.com/python/cpython/pull/138908)); Debian 12 has an earlier one.
- The verdict of RFC 9309 is our reading, with the section on which it is based. The profile \`rfc9309\` of this project is tested with the same cases.
- A test computes the columns of this project again on each run of the tests, and checks that this page is what the results generate.
`;
}
