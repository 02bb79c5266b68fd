/**
 * The kinds of findings of an audit: their severity, what they cost and what to do. docs/findings.md has a section about each.
 *
 * @module
 */
import { freezeDeep } from '@maycrawl/core/options';
import { formatCount } from '../../../text/counts.ts';
import type { FindingCode } from '../../run/records/finding.ts';
import { PREFERENCE_KINDS } from '../preferences/preference-kinds.ts';
import type { FindingKind } from './finding-kind.ts';
import { RENDERING_KINDS } from './rendering-kinds.ts';

/** The kinds by code. */
export const FINDING_KINDS: Readonly<Record<FindingCode, FindingKind>> = /* @__PURE__ */ freezeDeep({
  'server-error': {
    severity: 'error',
    one: '1 URL responds with a server error',
    many: '# URLs respond with a server error',
    cost: 'Crawlers come back less often, and URLs that keep failing are removed from the index.',
    action: 'Find the cause in the log of the server.',
  },
  'no-response': {
    severity: 'error',
    one: '1 URL does not respond',
    many: '# URLs do not respond',
    cost: 'Crawlers come back less often, and URLs that keep failing are removed from the index.',
    action: 'Check that the server responds in time, and to all clients.',
  },
  'redirect-without-target': {
    severity: 'error',
    one: '1 redirect has no valid target',
    many: '# redirects have no valid target',
    cost: 'Visitors and crawlers cannot follow it.',
    action: 'Send a Location header with an http or https URL.',
  },
  'not-reachable': {
    severity: 'error',
    one: '1 indexable URL cannot be reached by the crawler',
    many: '# indexable URLs cannot be reached by the crawler',
    cost: 'The crawler does not find them: no sitemap lists them, and it may fetch no page that links to them.',
    action: 'Allow a page that links to them, or add them to a sitemap.',
  },
  'broken-link': {
    severity: 'error',
    one: '1 URL that pages link to was not found',
    many: '# URLs that pages link to were not found',
    cost: 'The link leads visitors and crawlers nowhere.',
    action: 'Correct the links, or redirect the URL to its replacement.',
  },
  'listed-not-indexable': {
    severity: 'error',
    one: '1 URL in a sitemap cannot be indexed',
    many: '# URLs in sitemaps cannot be indexed',
    cost: 'The sitemap requests indexing, which the site prevents. Search engines trust such a sitemap less.',
    action: 'Remove the URLs from the sitemap, or remove what prevents indexing.',
  },
  'redirect-loop': {
    severity: 'error',
    one: '1 redirect leads into a loop',
    many: '# redirects lead into a loop',
    cost: 'Visitors and crawlers never reach a page.',
    action: 'Let one URL of the loop respond with a page, and redirect the others to it.',
  },
  'redirect-to-error': {
    severity: 'error',
    one: '1 redirect leads to an error',
    many: '# redirects lead to an error',
    cost: 'Visitors of the old URL are lost, and its links count for nothing.',
    action: 'Redirect to a URL that responds with status 200.',
  },
  'redirect-to-blocked': {
    severity: 'error',
    one: '1 redirect leads to a URL that robots.txt disallows',
    many: '# redirects lead to URLs that robots.txt disallows',
    cost: 'The crawler may not follow, so neither URL is indexed with its content.',
    action: 'Allow the target, or redirect to another URL.',
  },
  'canonical-ignored': {
    severity: 'error',
    one: '1 canonical is ignored',
    many: '# canonicals are ignored',
    cost: 'Search engines select a canonical URL themselves.',
    action: 'Name one absolute http or https URL in a link element in the head, or in a Link header.',
  },
  'canonical-conflict': {
    severity: 'error',
    one: '1 page names several different canonicals',
    many: '# pages name several different canonicals',
    cost: 'Search engines ignore all of them.',
    action: 'Keep one of them.',
  },
  'canonical-to-error': {
    severity: 'error',
    one: '1 canonical is an error',
    many: '# canonicals are errors',
    cost: 'The page gives up its place in the index to a URL that cannot be indexed.',
    action: 'Name a URL that responds with status 200, usually that of the page itself.',
  },
  'canonical-to-blocked': {
    severity: 'error',
    one: '1 canonical is disallowed by robots.txt',
    many: '# canonicals are disallowed by robots.txt',
    cost: 'The crawler cannot read the page that it should index instead.',
    action: 'Allow the canonical URL, or name another one.',
  },
  'canonical-to-noindex': {
    severity: 'error',
    one: '1 canonical has noindex',
    many: '# canonicals have noindex',
    cost: 'Neither page is indexed.',
    action: 'Remove the noindex of the canonical page, or name another one.',
  },
  'hidden-noindex': {
    severity: 'warning',
    one: 'The noindex of 1 URL is hidden by robots.txt',
    many: 'The noindex of # URLs is hidden by robots.txt',
    cost: 'The URLs can be indexed, without their content.',
    action: 'Allow the URLs, so that crawlers can read the noindex.',
  },
  'access-denied': {
    severity: 'warning',
    one: '1 URL denies access',
    many: '# URLs deny access',
    cost: 'Crawlers cannot read them. Visitors who follow a link may not, either.',
    action: 'Allow access, or do not link to the URLs. If only crawlers are refused, check the firewall.',
  },
  'hreflang-unknown-language': {
    severity: 'warning',
    one: '1 page has a version with an unknown language',
    many: '# pages have versions with unknown languages',
    cost: 'Search engines ignore this version for the page.',
    action: 'Use a language of ISO 639-1 and, if needed, a country of ISO 3166-1, such as en-GB.',
  },
  'hreflang-not-indexable': {
    severity: 'warning',
    one: '1 page names a version in another language that cannot be indexed',
    many: '# pages name versions in other languages that cannot be indexed',
    cost: 'Search engines cannot show this version.',
    action: 'Name the indexable URL of the version, or remove the statement.',
  },
  'hreflang-without-return': {
    severity: 'warning',
    one: '1 page names a version in another language that does not name it in return',
    many: '# pages name versions in other languages that do not name them in return',
    cost: 'Search engines ignore statements that are not mutual.',
    action: 'Let each version name all versions.',
  },
  'no-not-found-status': {
    severity: 'warning',
    one: '1 site does not respond with status 404 to a URL that does not exist',
    many: '# sites do not respond with status 404 to URLs that do not exist',
    cost: 'Each outdated or mistyped link is a page of its own, which search engines crawl again and again.',
    action: 'Respond with status 404 or 410 to URLs without content.',
  },
  'soft-404': {
    severity: 'warning',
    one: '1 page with status 200 looks like a page that was not found',
    many: '# pages with status 200 look like pages that were not found',
    cost: 'Search engines treat them as missing, and crawl them again and again.',
    action: 'Respond with status 404.',
  },
  'blocked-resource': {
    severity: 'warning',
    one: '1 page uses scripts or stylesheets that robots.txt disallows',
    many: '# pages use scripts or stylesheets that robots.txt disallows',
    cost: 'A crawler that renders pages does so without these files, and does not see what they add.',
    action: 'Allow the files, unless the page has the same content without them.',
  },
  'redirect-to-noindex': {
    severity: 'warning',
    one: '1 redirect leads to a page with noindex',
    many: '# redirects lead to pages with noindex',
    cost: 'Neither URL is indexed.',
    action: 'If the content should be found, redirect to a page that can be indexed.',
  },
  'redirect-to-canonicalised': {
    severity: 'warning',
    one: '1 redirect leads to a page that names another canonical',
    many: '# redirects lead to pages that name another canonical',
    cost: 'Redirect and canonical contradict each other.',
    action: 'Redirect to the canonical URL.',
  },
  'redirect-chain': {
    severity: 'warning',
    one: '1 URL redirects more than once',
    many: '# URLs redirect more than once',
    cost: 'Each step costs time, and crawlers stop after some of them.',
    action: 'Let links and redirects lead to the final URL.',
  },
  'canonical-to-redirect': {
    severity: 'warning',
    one: '1 canonical redirects',
    many: '# canonicals redirect',
    cost: 'Canonical and redirect contradict each other.',
    action: 'Name the URL at the end of the redirects, if it can be indexed.',
  },
  'canonical-chain': {
    severity: 'warning',
    one: '1 canonical names another canonical',
    many: '# canonicals name other canonicals',
    cost: 'Search engines may ignore both statements.',
    action: 'Name the last URL of the chain. If it is a loop, let one of its pages name itself.',
  },
  'duplicate-content': {
    severity: 'warning',
    one: '1 page has the same bytes as another one',
    many: '# pages have the same bytes as others',
    cost: 'Search engines select one of them, and crawl the others for nothing.',
    action: 'Name one of them as the canonical of all, or redirect.',
  },
  'duplicate-title': {
    severity: 'warning',
    one: '1 page shares its title with another one',
    many: '# pages share their titles with others',
    cost: 'In search results they look the same.',
    action: 'Give each page a title of its own.',
  },
  'missing-title': {
    severity: 'warning',
    one: '1 page has no title',
    many: '# pages have no title',
    cost: 'Search engines create a title themselves.',
    action: 'Add a title element to the head.',
  },
  'not-listed': {
    severity: 'info',
    one: '1 indexable page is in no sitemap',
    many: '# indexable pages are in no sitemap',
    cost: 'Crawlers may find them later.',
    action: 'If they should be found, add them to the sitemap.',
  },
  orphan: {
    severity: 'info',
    one: '1 URL in a sitemap cannot be reached by links',
    many: '# URLs in sitemaps cannot be reached by links',
    cost: 'The crawler finds them only in the sitemap, and search engines consider such URLs less important.',
    action: 'Link to them from pages that the crawler may fetch.',
  },
  'blocked-image': {
    severity: 'info',
    one: '1 page uses images that robots.txt disallows',
    many: '# pages use images that robots.txt disallows',
    cost: 'The crawler does not see these images.',
    action: 'Allow the images if search engines should show them.',
  },
  'hreflang-without-default': {
    severity: 'info',
    one: '1 page names versions in several languages, but no x-default',
    many: '# pages name versions in several languages, but no x-default',
    cost: 'Search engines select the version for users of other languages themselves.',
    action:
      'Name the version for all other users, or a page that lets users choose, with hreflang="x-default".',
  },
  'redirect-to-other-site': {
    severity: 'info',
    one: '1 redirect leaves the scope of the audit',
    many: '# redirects leave the scope of the audit',
    cost: 'None, if it is intended.',
    action: 'Check that the other site is the right one.',
  },
  'redirect-to-unknown': {
    severity: 'info',
    one: '1 redirect leads to a URL that was not fetched',
    many: '# redirects lead to URLs that were not fetched',
    cost: 'Whether the target can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
  },
  'canonical-to-other-site': {
    severity: 'info',
    one: '1 canonical is outside the scope of the audit',
    many: '# canonicals are outside the scope of the audit',
    cost: 'The other site appears in the index instead of this one.',
    action: 'Check that this is intended, as for content that the other site published first.',
  },
  'canonical-to-unknown': {
    severity: 'info',
    one: '1 canonical was not fetched',
    many: '# canonicals were not fetched',
    cost: 'Whether the canonical URL can be indexed is unknown.',
    action: 'Continue the audit, or raise its limits.',
  },
  ...RENDERING_KINDS,
  ...PREFERENCE_KINDS,
});

/** Describes a number of findings of a kind in a sentence without a full stop. */
export function describeFindings(code: FindingCode, count: number): string {
  const { one, many } = FINDING_KINDS[code];
  return count === 1 ? one : many.replace('#', formatCount(count));
}

/** Describes the detail of a finding, by which findings are grouped. */
export function describeDetail(code: FindingCode, detail: string): string {
  if (/^\d{3}$/.test(detail)) return `status ${detail}`;
  return code === 'duplicate-content' ? `the hash of the bytes begins with ${detail}` : detail;
}
