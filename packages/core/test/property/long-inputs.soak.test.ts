/**
 * Most texts that the library reads are lines of a robots.txt, which have at most 16,663 bytes. Others have no bound: URLs, headers, elements
 * of a page, documents of other formats, and lines of callers that raise `maxBytes`.
 */
import { describe, expect, test } from 'vitest';
import * as crawlers from '../../src/crawlers.ts';
import * as core from '../../src/index.ts';
import { parseLinkHeader } from '../../src/indexability/link-header.ts';
import { parseRefresh } from '../../src/indexability/refresh.ts';
import { readRobotsHeader } from '../../src/indexability/rules.ts';
import * as indexability from '../../src/indexability.ts';
import { parseXmlAttributes, XmlError, XmlScanner } from '../../src/internal.ts';
import * as linter from '../../src/lint.ts';
import * as preferences from '../../src/preferences.ts';
import * as proofs from '../../src/proofs.ts';
import * as urls from '../../src/url.ts';
import { findFailures, isMisuse } from '../support/long-texts.ts';

type Reader = (text: string) => unknown;

const ORIGIN = 'https://a.example';
const URL = `${ORIGIN}/a`;
const RULES = 'User-agent: *\nDisallow: /a*b*c$\nDisallow: /*.gif$\nContent-Usage: /x* train-ai=n\n';
const ROBOTS = core.parse(RULES);
const OTHER = core.parse('User-agent: *\nDisallow: /other\n');
const PARSED = { maxBytes: 10_000_000 } as const;
const parse = (text: string): core.RobotsTxt => core.parse(text, PARSED);
const toJson = (...rules: readonly unknown[]): string => JSON.stringify(rules);
const toRsl = (url: string, usage = 'search'): string =>
  `<rsl><content url="${url.replace(/[<"&]/g, '')}"><license><permits type="usage">${usage.replace(/[<&]/g, '')}</permits></license></content></rsl>`;
const read = (sources: preferences.PreferenceSources, url = URL): unknown =>
  preferences.readPreferences(sources, 'GPTBot', url);

const LINK = { hreflang: null, lang: null, media: null, type: null, inHead: true } as const;
const createHtml = (text: string): indexability.HtmlFacts => ({
  ...{ title: text, base: text, robots: [], refreshes: [text], isTruncated: false, rsl: [text] },
  links: [
    { ...LINK, rel: 'canonical', href: text },
    { ...LINK, rel: text, href: text, hreflang: text, type: 'application/rsl+xml' },
  ],
  references: [{ element: 'a', href: text, rel: text, text }],
  resources: [{ kind: 'script', href: text }],
  metas: [{ name: text, content: 'noai' }],
});
const createHeaders = (text: string): [string, string][] =>
  ['location', 'link', 'x-robots-tag', 'refresh', 'content-type', 'content-usage', 'tdm-reservation'].map(
    (name) => [name, text],
  );

/** The functions that read content, which never causes an error: by their names, each with its inputs. */
const CONTENT: Readonly<Record<string, Reader | readonly Reader[]>> = {
  // @maycrawl/core
  parse: (text) => [...parse(text).records(), ...parse(text).groups(), ...parse(text).sitemaps()],
  decide: [
    (text) => core.decide(text, 'Googlebot', URL, PARSED),
    (text) => core.decide(RULES, 'Googlebot', `${ORIGIN}/${text}`),
    (text) => core.decide(RULES, 'Googlebot', text),
    (text) => core.decide(RULES, 'Googlebot', `${ORIGIN}/${text}`, { profile: 'rfc9309' }),
  ],
  ruleset: (text) => {
    const ruleset = parse(text).ruleset('Googlebot');
    for (let decision = 0; decision < 40; decision++) ruleset.decide(`/${decision}`);
    return [ruleset.rules, ROBOTS.ruleset('Googlebot').decide(`/${text}`)];
  },
  diagnose: (text) => core.diagnose(parse(text)),
  describeDiagnostic: (text) => core.diagnose(parse(text)).slice(0, 100).map(core.describeDiagnostic),
  explainVerdict: (text) => core.explainVerdict(parse(`${RULES}${text}`).ruleset('Googlebot').decide(URL)),
  serialize: (text) => core.serialize(parse(text)),
  isAgentToken: (text) => core.isAgentToken(text),
  createCrawler: (text) => core.createCrawler(text),
  isInvalidAgentError: (text) => core.isInvalidAgentError(text),
  isPublicAddress: (text) => urls.isPublicAddress(text),
  isLocalServerAddress: (text) => urls.isLocalServerAddress(text),
  toCanonicalAddress: (text) => urls.toCanonicalAddress(text),
  toUrlText: (text) => urls.toUrlText(text),
  recognizeCrawler: (text) => core.recognizeCrawler(text),
  findCrawler: (text) => core.findCrawler(text),
  findProfile: (text) => core.findProfile(text),
  // @maycrawl/core/lint
  lint: (text) => linter.lint(core.parse(text), { maxStates: 100 }),
  fix: (text) => {
    const robots = core.parse(text);
    return linter.fix(robots, linter.lint(robots, { maxStates: 100 }), { maxStates: 100 });
  },
  lintPreferences: (text) => linter.lintPreferences(parse(text)),
  summarizeRecords: (text) => linter.summarizeRecords(parse(text)),
  isPageWithoutRules: (text) => linter.isPageWithoutRules(parse(text)),
  // @maycrawl/core/proofs
  compareFiles: (text) => proofs.compareFiles(core.parse(text), OTHER, { maxStates: 100 }),
  compareRecords: (text) => proofs.compareRecords(core.parse(text), OTHER, { maxStates: 100 }),
  listCrawlers: (text) => proofs.listCrawlers([parse(text)]),
  minify: (text) => proofs.minify(core.parse(text), { maxStates: 100 }),
  findRedundantRules: (text) => proofs.findRedundantRules(core.parse(text), { maxStates: 100 }),
  isClaimPattern: (text) => proofs.isClaimPattern(text),
  // @maycrawl/core/indexability
  readRobotsHeader: (text) => readRobotsHeader(text),
  readRobotsMeta: [
    (text) => indexability.readRobotsMeta('robots', text),
    (text) => indexability.readRobotsMeta(text, 'noindex'),
  ],
  combineDirectives: (text) => indexability.combineDirectives(readRobotsHeader(text), 'Googlebot', 0),
  parseLinkHeader: [
    (text) => parseLinkHeader(text),
    (text) => parseLinkHeader(`<${text}>; rel="${text}"`),
    (text) => parseLinkHeader(`<a>;${text}`),
  ],
  parseRefresh: [(text) => parseRefresh(text), (text) => parseRefresh(`1; url='${text}`)],
  parseMediaType: (text) => indexability.parseMediaType(text),
  isHtmlMediaType: (text) => indexability.isHtmlMediaType(text),
  resolveUrl: [
    (text) => indexability.resolveUrl(text, URL),
    (text) => indexability.resolveUrl('b', `${ORIGIN}/${text}`),
  ],
  decideCanonical: (text) =>
    indexability.decideCanonical(URL, [{ from: 'html', href: text, url: text, ignored: null }]),
  createPageFacts: (text) =>
    indexability.createPageFacts({ url: URL, status: 301, headers: createHeaders(text) }, createHtml(text)),
  // @maycrawl/core/preferences
  readPreferences: [
    (text) => read({ policy: { kind: 'rules', robots: parse(`User-agent: *\n${text}`) } }),
    (text) => read({ tdmrep: text }),
    (text) => read({ tdmrep: toJson({ location: `/${text}`, 'tdm-reservation': 1, 'tdm-policy': text }) }),
    (text) => read({ rsl: [{ url: text, text }], inlineRsl: [text, `<rsl>${text}`, `<rsl a="${text}`] }),
    (text) => read({ inlineRsl: [toRsl(text), toRsl(`/${text}`, text), toRsl(`${ORIGIN}/${text}`)] }),
    (text) =>
      read({ headers: createHeaders(text), licenses: [text], metas: [{ name: text, content: text }] }),
    (text) => read({ headers: createHeaders(`/${text}`), metas: [{ name: 'content-usage', content: text }] }),
    (text) =>
      read(
        {
          ...{ policy: { kind: 'rules', robots: ROBOTS }, inlineRsl: [toRsl('/a*b*c$')] },
          tdmrep: toJson({ location: '/a*b*c$', 'tdm-reservation': 1 }),
        },
        `${ORIGIN}/${text}`,
      ),
  ],
  parseRsl: [(text) => preferences.parseRsl(text), (text) => preferences.parseRsl(`<rsl>${text}`)],
  parseTdmRep: [
    (text) => preferences.parseTdmRep(text),
    (text) => preferences.parseTdmRep(toJson({ location: text, 'tdm-policy': text })),
  ],
  findPageProblems: [
    (text) =>
      preferences.findPageProblems({
        headers: [...createHeaders(text), ...createHeaders(`/${text}`)],
        metas: [{ name: 'content-signal', content: text }],
      }),
    ...['', 'a=', 'a="', 'a=(', 'a=:', 'a=%"', 'a;'].map(
      (start) => (text: string) =>
        preferences.findPageProblems({ headers: [['content-usage', start + text.slice(0, 250_000)]] }),
    ),
  ],
  selectPageSources: (text) =>
    preferences.selectPageSources({ url: URL, headers: createHeaders(text) }, createHtml(text)),
  isPreferenceMeta: (text) => preferences.isPreferenceMeta(text, text),
  listDeclarations: (text) => preferences.listDeclarations(parse(text)),
  compareDeclarations: (text) => preferences.compareDeclarations(core.parse(text), OTHER, { maxStates: 100 }),
  createPolicyToken: (text) => preferences.createPolicyToken(text),
  isGoverned: (text) => preferences.isGoverned(preferences.createPolicyToken('a'), [text]),
  setPreferences: [
    (text) => preferences.setPreferences(text, { 'ai-train': 'disallowed' }, { maxStates: 100 }),
    ...[(text: string) => text, (text: string) => `[{"location": "/", "further": ${text}}]`].map(
      (toFile) => (text: string) =>
        preferences.setPreferences(
          '',
          { 'ai-train': 'disallowed' },
          { formats: ['tdmrep'], tdmrep: toFile(text) },
        ),
    ),
  ],
  RobotsStatements: (text) => {
    const statements = new indexability.RobotsStatements();
    for (const each of readRobotsHeader(text)) statements.add(each);
  },
  // @maycrawl/core/internal
  parseXmlAttributes: ['', ' a=', ' a="', " a='"].map(
    (start) => (text: string) => parseXmlAttributes(start + text, () => {}),
  ),
  // @maycrawl/core/url
  parseUrl: [(text) => urls.parseUrl(text), (text) => urls.parseUrl(text, URL)],
  hasScheme: (text) => urls.hasScheme(text),
  removeBrackets: (text) => urls.removeBrackets(text),
  removeFragment: (text) => urls.removeFragment(text),
  getPathStart: (text) => urls.getPathStart(text),
  findOrigin: [(text) => urls.findOrigin(text), (text) => urls.findOrigin(`https://${text}/`)],
};

/** The functions whose text is an argument of the caller, which can be wrong. */
const ARGUMENTS: Readonly<Record<string, Reader | readonly Reader[]>> = {
  decide: [(text) => core.decide(RULES, text, URL), (text) => core.decide(RULES, [text], URL)],
  parse: (text) => core.parse('', { url: `${ORIGIN}/${text}` }),
  resolveAgent: (text) => core.resolveAgent(text),
  createAgentResolver: (text) => core.createAgentResolver([])(text),
  resolveProfile: (text) => core.resolveProfile(text),
  getRobotsTxtUrl: [
    (text) => core.getRobotsTxtUrl(text),
    (text) => core.getRobotsTxtUrl(`${ORIGIN}/${text}`),
  ],
  getOrigin: [(text) => urls.getOrigin(text), (text) => urls.getOrigin(`${ORIGIN}/${text}`)],
  decideByPolicy: (text) => core.decideByPolicy({ kind: 'rules', robots: ROBOTS }, 'GPTBot', text),
  readPreferences: [
    (text) => preferences.readPreferences({}, text, URL),
    (text) =>
      preferences.readPreferences({}, 'a', URL, { policyTokens: [preferences.createPolicyToken(text)] }),
  ],
  proveVerdict: (text) =>
    proofs.proveVerdict(ROBOTS.ruleset('Googlebot'), `/${text}`, false, { maxStates: 100 }),
  findOperator: (text) => crawlers.findOperator(text),
  parseOperatorRecords: (text) =>
    crawlers.parseOperatorRecords({ operators: [{ operator: text, sources: [] }] }),
  parseCrawlerRecords: (text) => crawlers.parseCrawlerRecords({ crawlers: [{ token: text }] }),
  evaluatePage: (text) =>
    indexability.evaluatePage(
      {
        ...{ url: text, sitemaps: [], found: [], depth: null, outcome: { kind: 'failure', detail: text } },
        crawl: { kind: 'allowed', reason: 'no-match', line: 0 } as never,
      },
      'Googlebot',
      0,
    ),
};

const toCases = (table: typeof CONTENT): [string, readonly Reader[]][] =>
  Object.entries(table).map(([name, readers]) => [name, [readers].flat()]);

describe('a long text is no error for', () => {
  test.each(toCases(CONTENT))('%s', (_name, readers) => {
    expect(readers.flatMap((reader) => findFailures(reader))).toEqual([]);
  });
});

test('a long text is no error of the engine in XML', () => {
  const scan = (text: string): void => {
    const scanner = new XmlScanner({ onOpen() {}, onText() {}, onClose() {}, onProblem() {} });
    scanner.write(text);
    scanner.end();
  };
  const isBound = (error: unknown): boolean => error instanceof XmlError;
  expect(
    ['', '<', '</', '<!', '<!DOCTYPE a [', '<a b="'].flatMap((start) =>
      findFailures((text) => scan(start + text), isBound),
    ),
  ).toEqual([]);
});

describe('a long argument is no error of the engine for', () => {
  test.each(toCases(ARGUMENTS))('%s', (_name, readers) => {
    expect(readers.flatMap((reader) => findFailures(reader, isMisuse))).toEqual([]);
  });
});

/** Functions that read no text, or only records, verdicts and policies that others of them have read. */
const WITHOUT_TEXT: readonly string[] = [
  ...['XmlError', 'XmlScanner'],
  ...['describePolicy', 'getPolicyCode', 'getPolicySummary', 'RulesetCache'],
  ...['groupFindings', 'AccessClassifier', 'FileClassifier', 'DelayReader', 'Budget'],
  ...['VerdictProver', 'PreferenceReader', 'getHeaderValues', 'findRedirectTarget'],
  ...['describePromises', 'findRefusalPromises', 'listPromises', 'describeRefusalReach', 'findRefusalReach'],
  ...[
    'addCrawlers',
    'createOperatorFinder',
    'groupByPurpose',
    'selectCrawlers',
    'toDocumentedCrawler',
    'toPolicyToken',
  ],
];

test('every public function is among them', () => {
  const modules = [
    core,
    linter,
    proofs,
    indexability,
    preferences,
    urls,
    { parseXmlAttributes, XmlError, XmlScanner },
    crawlers,
  ];
  const functions = modules.flatMap((module) =>
    Object.entries(module).flatMap(([name, value]) => (typeof value === 'function' ? [name] : [])),
  );
  const read = new Set([...Object.keys(CONTENT), ...Object.keys(ARGUMENTS), ...WITHOUT_TEXT]);
  expect(functions.filter((name) => !read.has(name))).toEqual([]);
  expect(WITHOUT_TEXT.filter((name) => !functions.includes(name))).toEqual([]);
});
