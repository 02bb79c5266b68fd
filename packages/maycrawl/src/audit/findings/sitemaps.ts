// Findings about the sitemaps of a run: what is wrong with the files themselves.
import { formatCount } from '../../text/counts.ts';
import type { Finding } from '../run/records/finding.ts';
import { getHost } from '../run/records/url.ts';
import type { RunStore } from '../run/run-store.ts';
import type { StoredSitemap } from '../run/tables/sitemap-table.ts';

/** Kinds about sitemaps. The URL of such a finding is that of the sitemap. */
export const SITEMAP_KINDS = {
  'sitemap-not-fetched': {
    severity: 'error',
    rank: 56,
    one: '1 sitemap cannot be fetched',
    many: '# sitemaps cannot be fetched',
    sentence: 'Is named as a sitemap, but cannot be fetched',
    cost: 'Search engines learn nothing from it.',
    action: 'Correct the Sitemap line of the robots.txt, or respond with the file.',
    decision:
      'A robots.txt or a sitemap index names the sitemap, and it does not respond with status 200, its redirects lead nowhere, or robots.txt disallows it. The detail is the cause.',
    example: 'Sitemap: https://example.com/sitemap.xml → 404',
    source: 'sitemap',
  },
  'sitemap-invalid': {
    severity: 'error',
    rank: 57,
    one: '1 file that is named as a sitemap is no sitemap',
    many: '# files that are named as sitemaps are no sitemaps',
    sentence: 'Is named as a sitemap, but is no sitemap',
    cost: 'Search engines learn nothing from it.',
    action:
      'Respond with XML that has a urlset or a sitemapindex, with RSS, Atom, or a text with one URL a line.',
    decision:
      'The response has status 200, and is an HTML page, XML with another root element, no valid XML, or a text without URLs. The detail is the cause.',
    example: 'GET /sitemap.xml → 200, <!doctype html>',
    source: 'sitemap',
  },
  'sitemap-damaged': {
    severity: 'error',
    rank: 58,
    one: '1 sitemap is damaged',
    many: '# sitemaps are damaged',
    sentence: 'Is damaged',
    cost: 'Search engines do not read it, or only its beginning.',
    action: 'Write the file anew, completely, and check how the server compresses it.',
    decision:
      'The file ends inside an XML element, the response is cut off, or its compressed data is damaged or cut off. The detail is the cause.',
    example: '<urlset><url><loc>https://exam',
    source: 'sitemap',
  },
  'sitemap-too-large': {
    severity: 'error',
    rank: 59,
    one: '1 sitemap is too large',
    many: '# sitemaps are too large',
    sentence: 'Is too large',
    cost: 'Search engines do not read the entries beyond the limit, or the whole file.',
    action: 'Split it into several sitemaps, and name them in a sitemap index.',
    decision: 'The sitemap has more than 50,000 entries or 50 MiB. The detail is the limit.',
    example: '<urlset> with 60,000 entries',
    source: 'sitemap',
  },
  'sitemap-empty': {
    severity: 'warning',
    rank: 31,
    one: '1 sitemap is empty',
    many: '# sitemaps are empty',
    sentence: 'Is empty',
    cost: 'Search engines learn nothing from it.',
    action: 'List the pages of the site, or remove the sitemap.',
    decision: 'The file has no bytes, or no entries.',
    example: '<urlset></urlset>',
    source: 'sitemap',
  },
  'sitemap-other-host': {
    severity: 'warning',
    rank: 32,
    one: '1 sitemap lists URLs of another host',
    many: '# sitemaps list URLs of other hosts',
    sentence: 'Lists URLs of other hosts:',
    cost: 'Search engines ignore these entries, unless the robots.txt of the other host names the sitemap.',
    action:
      'List only URLs of the host of the sitemap, with the same scheme, or name the sitemap in the robots.txt of the other host.',
    decision:
      'Entries are on another host than the sitemap, and the audit does not cover this host. The detail is their number; the first of them follow.',
    example: 'https://example.com/sitemap.xml lists https://www.example.com/',
    source: 'sitemap',
  },
  'sitemap-invalid-entries': {
    severity: 'warning',
    rank: 33,
    one: '1 sitemap has invalid entries',
    many: '# sitemaps have invalid entries',
    sentence: 'Has invalid entries',
    cost: 'Search engines ignore these entries.',
    action: 'Write absolute http or https URLs with at most 2,048 characters, and no index into an index.',
    decision:
      'Entries are no absolute http or https URLs or have more than 2,048 characters, or an index that another index names lists sitemaps. The detail is their number.',
    example: '<loc>/page</loc>',
    source: 'sitemap',
  },
} as const;

type SitemapCode = keyof typeof SITEMAP_KINDS;
type Found = Pick<Finding<SitemapCode>, 'code' | 'detail' | 'targets'>;

/** Entries that a finding names. */
const MAX_TARGETS = 20;

/** Finds what is wrong with sitemaps, which is the same for all crawlers. */
export function* findSitemapProblems(run: RunStore, agents: number): Generator<Finding<SitemapCode>> {
  const hosts = run.rows.getAuditedHosts();
  for (const sitemap of run.sitemaps.list()) {
    const found = [...listProblems(sitemap), ...findOtherHosts(run, sitemap, hosts)];
    if (found.length === 0) continue;
    const key = run.addSitemapUrl(sitemap.url);
    for (const each of found) for (let agent = 0; agent < agents; agent++) yield { ...each, agent, key };
  }
}

function listProblems({ problems }: StoredSitemap): Found[] {
  return problems.flatMap(({ code, detail }) => (code === 'not-read' ? [] : [{ code, detail, targets: [] }]));
}

function findOtherHosts(run: RunStore, { id, url }: StoredSitemap, audited: ReadonlySet<string>): Found[] {
  const own = getHost(url);
  const others = run.sitemaps.countByHost(id).filter(({ host }) => host !== own && !audited.has(host));
  if (others.length === 0) return [];
  const count = others.reduce((sum, each) => sum + each.count, 0);
  const targets = others.map(({ example }) => example).slice(0, MAX_TARGETS);
  return [
    {
      code: 'sitemap-other-host',
      detail: count === 1 ? '1 entry' : `${formatCount(count)} entries`,
      targets,
    },
  ];
}
