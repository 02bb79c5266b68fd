// Checks all conformance vectors with the built core, on whichever JavaScript runtime loads this module. run.mjs copies the core
// and the vectors to the folder of this module first. Nothing here is specific to a runtime: workerd has no files to read.
import { decide, findCrawler, parse } from './core/index.js';
import { createPolicyToken, POLICY_TOKENS, readPreferences } from './core/preferences.js';
import { ROWS } from './rows.mjs';

/** More wrong rows than this are only counted. */
const MAX_SHOWN = 10;

function getContent({ robots, robots_base64 }) {
  if (robots_base64 === undefined) return robots;
  return Uint8Array.from(atob(robots_base64), (char) => char.charCodeAt(0));
}

/** What a verdict is as the expectation of a row. */
function toExpectation(verdict) {
  if (verdict.kind !== 'out-of-scope') return JSON.stringify([verdict.allowed, verdict.line]);
  const isNamed = verdict.reason === 'invalid-url' || verdict.reason === 'unsupported-scheme';
  return JSON.stringify([isNamed ? verdict.reason : 'out-of-scope']);
}

/** The answers of one row: one call, and a parsed file. */
function getAnswers(row) {
  const { url, profile = 'google', normalize = true, robots_url } = row;
  const content = getContent(row);
  const options = robots_url === undefined ? { profile } : { profile, url: robots_url };
  const crawler = row.crawler === undefined ? row.agents : findCrawler(row.crawler);
  return [
    decide(content, crawler, url, { ...options, normalize }),
    parse(content, options).ruleset(crawler).decide(url, { normalize }),
  ].map(toExpectation);
}

/** The expected values of a row about preferences, and those of the report. */
function comparePreferences(row) {
  const { robots, headers = [], metas = [], tdmrep, rsl = [], policy_tokens: tokens = [] } = row;
  const { licenses = [], inline_rsl: inlineRsl = [] } = row;
  const sources = {
    ...(robots === undefined ? {} : { policy: { kind: 'rules', robots: parse(robots) } }),
    ...(tdmrep === undefined ? {} : { tdmrep }),
    ...{ headers, metas: metas.map(([name, content]) => ({ name, content })), rsl, licenses, inlineRsl },
  };
  const policyTokens = [...POLICY_TOKENS, ...tokens.map((token) => createPolicyToken(token))];
  const { crawl, purposes } = readPreferences(sources, row.agent, row.url, { policyTokens });
  const values = Object.keys(row.expect).map((purpose) => purposes[purpose]?.value ?? 'unknown');
  return {
    expected: JSON.stringify([row.crawl, ...Object.values(row.expect)]),
    answers: [JSON.stringify([crawl, ...values])],
  };
}

function compareVerdicts(row) {
  const expected = JSON.stringify(row.error === undefined ? [row.allowed, row.line] : [row.error]);
  return { expected, answers: getAnswers(row) };
}

/** @throws {Error} if a row has another answer than the expected one. */
function checkRows() {
  let right = 0;
  const wrong = [];
  for (const row of ROWS) {
    const { expected, answers } = row.expect === undefined ? compareVerdicts(row) : comparePreferences(row);
    if (answers.every((answer) => answer === expected)) right++;
    else wrong.push(`${row.id}: expected ${expected}, got ${answers.join(' ')}`);
  }
  for (const line of wrong.slice(0, MAX_SHOWN)) console.log(line);
  console.log(`${right} of ${ROWS.length}`);
  if (wrong.length > 0) throw new Error(`${wrong.length} rows have another answer than the expected one`);
}

// workerd runs what a module exports; the others run the module.
const isWorkerd = globalThis.navigator?.userAgent === 'Cloudflare-Workers';
if (!isWorkerd) checkRows();

export default { test: checkRows };
