// Summaries of logs of an invented shop, for reports.
import type {
  CrawlerSummary,
  DaySummary,
  LogFinding,
  LogSummary,
  RuleUse,
  Violation,
} from '../../src/logs/summary/log-summary.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 1);
const DAYS = 28;
/** When violations of the newest version begin on the day of the edit. */
const EDIT_HOUR = 38_460_000;
const SITE = 'https://shop.example';
const [OLD, NEW] = ['2026-10-02T08-00-00Z', '2026-11-20T10-00-00Z'];

/** What is invented of a crawler. Requests of a day; the other numbers are shares of them. */
interface InventedCrawler extends Pick<CrawlerSummary, 'crawler' | 'operator' | 'purposes'> {
  readonly perDay: number;
  readonly bytes: number;
  readonly identity: 'verified' | 'unverifiable' | 'unchecked';
  readonly spoofed?: number;
  readonly violation?: number;
  readonly grace?: number;
  readonly outage?: number;
  readonly obeys?: 'yes' | 'no' | 'unknown';
  /** Fetches of robots.txt on a day. */
  readonly fetches?: number;
  readonly read?: Violation['read'];
  readonly stopped?: number;
  readonly opened?: number;
}

const INVENTED: readonly InventedCrawler[] = [
  {
    ...{ crawler: 'Googlebot', operator: 'Google', purposes: ['search', 'ai-input'], perDay: 1_930 },
    ...{ bytes: 41_000, identity: 'verified', spoofed: 0.06, fetches: 9, opened: 0.01 },
  },
  {
    ...{ crawler: 'bingbot', operator: 'Microsoft', purposes: ['search'], perDay: 870, bytes: 39_000 },
    ...{ identity: 'verified', spoofed: 0.01, outage: 0.03, grace: 0.01, fetches: 6 },
  },
  {
    ...{ crawler: 'YandexBot', operator: 'Yandex', purposes: ['search'], perDay: 96, bytes: 30_000 },
    ...{ identity: 'unchecked', fetches: 2 },
  },
  {
    ...{ crawler: 'GPTBot', operator: 'OpenAI', purposes: ['ai-train'], perDay: 640, bytes: 58_000 },
    ...{ identity: 'verified', grace: 0.08, fetches: 1, stopped: 0.31 },
  },
  {
    ...{ crawler: 'Bytespider', operator: 'ByteDance', purposes: ['ai-train'], perDay: 410, bytes: 52_000 },
    ...{
      identity: 'unverifiable',
      violation: 0.21,
      fetches: 0.4,
      obeys: 'unknown',
      read: 'yes',
      stopped: 0.84,
    },
  },
  {
    ...{ crawler: 'ClaudeBot', operator: 'Anthropic', purposes: ['ai-train'], perDay: 388, bytes: 55_000 },
    ...{ identity: 'verified', grace: 0.04, fetches: 3, stopped: 0.27 },
  },
  {
    ...{ crawler: 'CCBot', operator: 'Common Crawl', purposes: ['ai-train', 'research'], perDay: 51 },
    ...{ bytes: 47_000, identity: 'verified', fetches: 1, stopped: 0.22 },
  },
  {
    ...{
      crawler: 'ChatGPT-User',
      operator: 'OpenAI',
      purposes: ['user-request'],
      perDay: 220,
      bytes: 61_000,
    },
    ...{ identity: 'verified', obeys: 'no', fetches: 0 },
  },
  {
    ...{ crawler: 'AhrefsBot', operator: 'Ahrefs', purposes: ['seo'], perDay: 260, bytes: 29_000 },
    ...{ identity: 'verified', fetches: 4, opened: 0.05 },
  },
  {
    ...{ crawler: 'SemrushBot', operator: 'Semrush', purposes: ['seo'], perDay: 170, bytes: 27_000 },
    ...{ identity: 'unchecked', fetches: 2, violation: 0.004, read: 'unknown' },
  },
  {
    ...{ crawler: 'pricewatch', operator: null, purposes: [], perDay: 73, bytes: 18_000 },
    ...{ identity: 'unverifiable', violation: 0.38, fetches: 0, obeys: 'unknown', read: 'never' },
  },
];

/** Creates the summary: eleven crawlers in four weeks, with an edit of robots.txt, another file and an audit. */
export function createLogSummary(): LogSummary {
  const crawlers = INVENTED.map(createCrawler).sort((a, b) => b.requests - a.requests);
  const requests = crawlers.reduce((sum, each) => sum + each.requests, 0);
  const unparsed = 212;
  const visitors = 812_345;
  return {
    sites: [SITE],
    lines: {
      ...{ read: requests + visitors + unparsed, parsed: requests + visitors, unparsed },
      ...{ crawlers: requests, visitors },
    },
    ...{ otherSites: 31, furtherCrawlers: 0, hasAddresses: true },
    ...{ from: '2026-11-01T00:00:04Z', to: '2026-11-28T23:59:51Z' },
    crawlers,
    rules: RULES.map((rule) => ({
      ...rule,
      requests: rule.crawlers.reduce((sum, each) => sum + each.requests, 0),
    })),
    unusedRules: [
      { site: SITE, version: NEW, line: 6, kind: 'disallow', rule: '/cgi-bin/' },
      { site: SITE, version: NEW, line: 9, kind: 'allow', rule: '/search/about' },
      { site: SITE, version: NEW, line: 17, kind: 'disallow', rule: '/*?sessionid=' },
    ],
    audit: {
      agent: 'Googlebot',
      unrequested: { count: 214, urls: list(100, (index) => `${SITE}/products/archive/${index + 1}`) },
      unlinked: {
        count: 38,
        urls: list(38, (index) => ({
          url: `${SITE}/landing/${index + 1}?utm_source=mail`,
          requests: 90 - 2 * index,
        })),
      },
      segments: [
        {
          segment: '/products/',
          indexable: 4_120,
          searched: 3_906,
          blocked: 0,
          noindex: 412,
          redirected: 1_240,
          missing: 388,
        },
        {
          segment: '/blog/',
          indexable: 610,
          searched: 601,
          blocked: 0,
          noindex: 0,
          redirected: 44,
          missing: 12,
        },
        {
          segment: '/cart/',
          indexable: 0,
          searched: 0,
          blocked: 3_177,
          noindex: 96,
          redirected: 0,
          missing: 0,
        },
      ],
    },
    findings: createFindings(crawlers),
  };
}

const RULES: readonly Omit<RuleUse, 'requests'>[] = [
  {
    ...{ site: SITE, version: NEW, line: 14, kind: 'disallow', rule: '/' },
    crawlers: [{ crawler: 'Bytespider', requests: 2_411 }],
  },
  {
    ...{ site: SITE, version: OLD, line: 4, kind: 'disallow', rule: '/cart/' },
    crawlers: [
      { crawler: 'pricewatch', requests: 776 },
      { crawler: 'GPTBot', requests: 140 },
      { crawler: 'SemrushBot', requests: 19 },
      { crawler: 'ClaudeBot', requests: 12 },
      { crawler: 'bingbot', requests: 3 },
    ],
  },
  {
    ...{ site: SITE, version: NEW, line: 8, kind: 'allow', rule: '/search/popular' },
    crawlers: [
      { crawler: 'Googlebot', requests: 301 },
      { crawler: 'bingbot', requests: 88 },
    ],
  },
];

/** Networks of spoofed requests, with their shares. */
const NETWORKS = [
  ['203.0.113.0/24', 0.6],
  ['198.51.100.0/24', 0.2],
  ['192.0.2.0/24', 0.1],
  ['2001:db8:4::/48', 0.06],
  ['2001:db8:7::/48', 0.04],
] as const;

function list<Item>(length: number, create: (index: number) => Item): Item[] {
  return Array.from({ length }, (_, index) => create(index));
}

function formatTime(time: number): string {
  return new Date(time).toISOString().replace('.000Z', 'Z');
}

function createCrawler(invented: InventedCrawler): CrawlerSummary {
  const {
    crawler,
    operator,
    purposes,
    perDay,
    violation = 0,
    fetches = 2,
    obeys = 'yes',
    read = 'yes',
  } = invented;
  const days = list(DAYS, (day): DaySummary => {
    const requests = Math.round(perDay * (1 + 0.25 * Math.sin(day * 0.9 + perDay)));
    // Violations begin with the edit, unless the crawler reads no robots.txt.
    const share = read === 'yes' && day < 19 ? 0 : violation * (read === 'yes' ? 2.4 : 1);
    return {
      ...{ day: formatTime(START + day * DAY).slice(0, 10), requests },
      violations: Math.round(requests * share),
    };
  });
  const own = days.reduce((sum, each) => sum + each.requests, 0);
  const violations = days.reduce((sum, each) => sum + each.violations, 0);
  const toCount = (share: number | undefined): number => Math.round(own * (share ?? 0));
  const robots = Math.round(DAYS * fetches);
  const [spoofed, grace, outage] = [
    toCount(invented.spoofed),
    toCount(invented.grace),
    toCount(invented.outage),
  ];
  const rest = own - violations - grace - outage - robots;
  const requests = own + spoofed;
  const rule = {
    line: read === 'yes' ? 14 : 4,
    rule: read === 'yes' ? '/' : '/cart/',
    version: read === 'yes' ? NEW : OLD,
  };
  return {
    ...{ crawler, operator, purposes, requests, bytes: requests * invented.bytes },
    robotsTxt: {
      ...{ obeys, fetches: robots },
      statuses: robots === 0 ? {} : outage > 0 ? { 200: robots - 14, 503: 14 } : { 200: robots },
      last: robots === 0 ? null : '2026-11-28T17:40:12Z',
      medianInterval: robots < 2 ? null : Math.round(86_400 / fetches),
    },
    identity: {
      ...{ verified: 0, unverifiable: 0, unchecked: 0, [invented.identity]: own },
      spoofed,
    },
    classes: {
      ...{ 'robots-txt': robots, allowed: obeys === 'no' ? 0 : rest, grace, violation: violations, outage },
      ...{ 'unknown-version': 0, exempt: obeys === 'no' ? rest : 0 },
    },
    violations: list(Math.min(100, violations), (index) => ({
      time: formatTime(START + 19 * DAY + EDIT_HOUR + (index < 50 ? index : index + 400) * 311_000),
      url: `${SITE}/${read === 'yes' ? 'products' : 'cart'}/item-${index + 1}?colour=blue`,
      ...{ ...rule, read },
    })),
    worstRule: violations === 0 ? null : { ...rule, requests: violations },
    ambiguous: crawler === 'SemrushBot' ? [{ time: '2026-11-09T04:11:00Z', url: `${SITE}/cart%2Flist` }] : [],
    statuses: {
      200: Math.round(own * 0.93),
      301: Math.round(own * 0.05),
      404: own - Math.round(own * 0.93) - Math.round(own * 0.05),
    },
    days,
    pace: crawler === 'bingbot' ? { crawlDelay: 10, least: 0.4, percentile5: 2.6 } : null,
    spoofed: {
      ...{ requests: spoofed, bytes: spoofed * 12_000 },
      networks: (spoofed === 0 ? [] : NETWORKS).map(([network, share]) => ({
        network,
        requests: Math.round(spoofed * share),
      })),
    },
    whatIf: {
      ...{ isVerified: false, requests: own, bytes: own * invented.bytes },
      stopped: toCount(invented.stopped),
      stoppedBytes: toCount(invented.stopped) * invented.bytes,
      opened: toCount(invented.opened),
      openedBytes: toCount(invented.opened) * invented.bytes,
    },
  };
}

function createFindings(crawlers: readonly CrawlerSummary[]): LogFinding[] {
  const find = (name: string): CrawlerSummary =>
    crawlers.find(({ crawler }) => crawler === name) as CrawlerSummary;
  const toText = (count: number): string => count.toLocaleString('en');
  const [bytespider, pricewatch, googlebot] = [find('Bytespider'), find('pricewatch'), find('Googlebot')];
  return [
    {
      ...{
        code: 'violation',
        severity: 'error',
        crawler: 'Bytespider',
        requests: bytespider.classes.violation,
      },
      text: `${toText(bytespider.classes.violation)} requests as Bytespider for URLs that line 14 disallows, 40 minutes after it fetched version ${NEW}`,
    },
    {
      ...{ code: 'spoofed', severity: 'warning', crawler: 'Googlebot', requests: googlebot.spoofed.requests },
      text: `${toText(googlebot.spoofed.requests)} requests as Googlebot from 5 networks are not of Google`,
    },
    {
      ...{
        code: 'violation',
        severity: 'warning',
        crawler: 'pricewatch',
        requests: pricewatch.classes.violation,
      },
      text: `${toText(pricewatch.classes.violation)} requests as pricewatch for URLs that line 4 disallows, although it had fetched no robots.txt, version ${OLD} of October 2`,
    },
    {
      ...{ code: 'too-fast', severity: 'warning', crawler: 'bingbot', requests: find('bingbot').requests },
      text: 'bingbot does not keep the crawl-delay of 10 s: 5 % of its requests follow the one before within 2.6 s',
    },
    {
      ...{ code: 'robots-txt-failed', severity: 'warning', crawler: 'bingbot', requests: 14 },
      text: 'bingbot got 503 for robots.txt 14 times on November 12',
    },
    {
      ...{
        code: 'not-fetched-since-edit',
        severity: 'info',
        crawler: 'YandexBot',
        requests: find('YandexBot').requests,
      },
      text: 'YandexBot has not fetched robots.txt since the edit of November 20',
    },
  ];
}

/** Creates a summary of many crawlers with 100 violations each, as large as one can be. */
export function createManyCrawlers(count: number): LogSummary {
  const summary = createLogSummary();
  const template = summary.crawlers.find(({ violations }) => violations.length === 100) as CrawlerSummary;
  const purposes = summary.crawlers.map((each) => each.purposes);
  const crawlers = list(count, (index): CrawlerSummary => {
    const violations = template.violations.map((each, place) => ({
      ...each,
      url: `${SITE}/products/category-${(index * 7_919) % 1_000}/item-${index}-${place}?page=${(place * 31 * index) % 977}`,
    }));
    return {
      ...{ ...template, crawler: `robot-${index}`, operator: `Operator ${index % 400}`, violations },
      ...{ purposes: purposes[index % purposes.length] ?? [], ambiguous: violations },
    };
  });
  const findings = crawlers.flatMap(({ crawler }) =>
    summary.findings.map((each) => ({
      ...each,
      crawler,
      text: each.text.replace(each.crawler ?? '', crawler),
    })),
  );
  return { ...summary, crawlers, findings };
}
