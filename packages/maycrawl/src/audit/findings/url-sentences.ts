/**
 * Findings in sentences about one URL, as the evidence about it shows them. finding-kinds.ts has the sentences about lists.
 *
 * @module
 */
import type { FindingCode } from '../run/records/finding.ts';
import { FINDING_KINDS } from './kinds/finding-kinds.ts';

/** What is wrong with the URL, and what to do if the action of the kind is about several URLs. */
type UrlSentence = readonly [sentence: string, action?: string];

const SENTENCES: Readonly<Record<FindingCode, UrlSentence>> = {
  'server-error': ['Responds with a server error.'],
  'no-response': ['Does not respond.'],
  'redirect-without-target': ['Redirects without a valid target.'],
  'not-reachable': [
    'Can be indexed, but the crawler cannot reach it.',
    'Allow a page that links to it, or add it to a sitemap.',
  ],
  'broken-link': [
    'Was not found, but pages link to it.',
    'Correct the links, or redirect it to its replacement.',
  ],
  'listed-not-indexable': [
    'Is in a sitemap, but cannot be indexed',
    'Remove it from the sitemap, or remove what prevents indexing.',
  ],
  'redirect-loop': ['Redirects into a loop.'],
  'redirect-to-error': ['Redirects to an error.'],
  'redirect-to-blocked': ['Redirects to a URL that robots.txt disallows.'],
  'canonical-ignored': ['Has a canonical that is ignored.'],
  'canonical-conflict': ['Names several different canonicals.'],
  'canonical-to-error': ['Its canonical is an error.'],
  'canonical-to-blocked': ['Its canonical is disallowed by robots.txt.'],
  'canonical-to-noindex': ['Its canonical has noindex.'],
  'rendered-noindex-added': ['Has noindex only after its scripts have run.'],
  'rendered-noindex-removed': ['Its scripts remove its noindex.'],
  'hidden-noindex': [
    'Its noindex is hidden by robots.txt.',
    'Allow it, so that the crawler can read the noindex.',
  ],
  'access-denied': [
    'Denies access.',
    'Allow access, or do not link to it. If only crawlers are refused, check the firewall.',
  ],
  'hreflang-unknown-language': ['Names a version with an unknown language'],
  'hreflang-not-indexable': ['Names versions in other languages that cannot be indexed:'],
  'hreflang-without-return': ['Names versions in other languages that do not name it in return:'],
  'no-not-found-status': [
    'Its site does not respond with status 404 to a URL that does not exist.',
    'Respond with status 404 or 410 to URLs without content.',
  ],
  'soft-404': ['Looks like a page that was not found, but has status 200.'],
  'blocked-resource': ['Uses scripts or stylesheets that robots.txt disallows.'],
  'redirect-to-noindex': ['Redirects to a page with noindex.'],
  'redirect-to-canonicalised': ['Redirects to a page that names another canonical.'],
  'redirect-chain': ['Redirects more than once.'],
  'canonical-to-redirect': ['Its canonical redirects.'],
  'canonical-chain': ['Its canonical names another canonical.'],
  'rendered-canonical-changed': ['Its scripts change its canonical.'],
  'rendered-links-only': ['Has links that only its scripts add.'],
  'rendered-redirect': ['Its scripts lead to another URL.'],
  'rendered-resource-blocked': ['Was rendered without files that robots.txt disallows.'],
  'not-rendered': ['Could not be rendered.'],
  'duplicate-content': [
    'Has the same bytes as other pages:',
    'Name one of them as the canonical of all, or redirect.',
  ],
  'duplicate-title': ['Shares its title with other pages:', 'Give it a title of its own.'],
  'missing-title': ['Has no title.'],
  'not-listed': ['Can be indexed, but is in no sitemap.', 'If it should be found, add it to the sitemap.'],
  orphan: [
    'Is in a sitemap, but cannot be reached by links.',
    'Link to it from a page that the crawler may fetch.',
  ],
  'blocked-image': ['Uses images that robots.txt disallows.'],
  'hreflang-without-default': ['Names versions in several languages, but no x-default.'],
  'redirect-to-other-site': ['Redirects to a URL that is out of the scope of the audit.'],
  'redirect-to-unknown': ['Redirects to a URL that was not fetched.'],
  'canonical-to-other-site': ['Its canonical is out of the scope of the audit.'],
  'canonical-to-unknown': ['Its canonical was not fetched.'],
  'rendered-title-changed': ['Its scripts change its title.'],
  'preferences-conflict': ['Statements about its use contradict each other'],
  'preference-syntax': ['Has a statement about its use that says nothing'],
  'mixed-preferences': ['Lacks the refusal that the other pages of its folder have'],
  'preference-never-read': [
    'The crawler never reads what it says about its use',
    'Nothing, if the crawler should not fetch it. Otherwise allow it in robots.txt.',
  ],
  'use-without-crawl': [
    'Its use is allowed, but the crawler may not fetch it',
    'Allow it in robots.txt, or remove the permission for its path.',
  ],
};

/**
 * Describes a finding about one URL. A sentence that ends with a colon introduces URLs.
 *
 * @param detail - of the finding, as text to show; empty if it has none. Only sentences that need it contain it.
 */
export function describeUrlFinding(code: FindingCode, detail: string): { sentence: string; action: string } {
  const [text, action = FINDING_KINDS[code].action] = SENTENCES[code];
  const isWhole = text.endsWith('.') || text.endsWith(':');
  return { sentence: isWhole ? text : `${text}${detail === '' ? '' : ` (${detail})`}.`, action };
}
