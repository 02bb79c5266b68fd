// Canonicals: in the head, the body and headers; to the page itself and to other pages; ignored, conflicting, and in chains.
import { type Case, html, type Served } from './case.ts';
import { closed } from './robots-cases.ts';

const A = '/canonical/a';
const B = '/canonical/b';
const ELSEWHERE = 'https://elsewhere.example/c';

/** @param canonical - `self` for the page itself. */
function createCase(name: string, served: Served, canonical: string, expected: Partial<Case> = {}): Case {
  const url = `/canonical/${name}`;
  const [kind, ...others] = canonical.split(' ');
  const targets = kind === 'self' ? [url] : others;
  return {
    ...{ url, served, canonical, reasons: kind === 'other' ? 'canonicalised' : '' },
    links: targets.map((target) => `canonical ${target}`),
    ...expected,
  };
}

const head = (name: string, tags: string, canonical: string, expected?: Partial<Case>): Case =>
  createCase(name, { body: html(tags) }, canonical, expected);
const link = (href: string, more = ''): string => `<link rel="canonical" href="${href}"${more}>`;
const header = (name: string, value: string, canonical: string, tags = ''): Case =>
  createCase(name, { headers: [['Link', value]], body: html(tags) }, canonical);

export const CANONICAL_CASES: readonly Case[] = [
  { url: A, served: { body: html() } },
  { url: B, served: { body: html() } },
  { url: ELSEWHERE, served: null, state: 'outside', isTarget: true, isListed: false },
  head('self', link('/canonical/self'), 'self'),
  head('self-fragment', link('{origin}/canonical/self-fragment#top'), 'self'),
  head('self-twice', link('self-twice') + link('/canonical/self-twice#x'), 'self'),
  head('self?a=1&b=2', link('?a=1&amp;b=2'), 'self'),
  header('self-header', '</canonical/self-header>; rel="canonical"', 'self'),
  // Almost the page itself.
  head('Case', link('/canonical/case'), 'other /canonical/case'),
  { url: '/canonical/case', served: { body: html() }, isListed: false, depth: null },
  head('other', link(A), `other ${A}`),
  head('other-host', link(ELSEWHERE), `other ${ELSEWHERE}`),
  head('base', `<base href="/canonical/x/">${link('../a')}`, `other ${A}`),
  header('header', `</x>; rel="prev", <{origin}${A}>; rel="canonical"`, `other ${A}`),
  header('header-ignores-base', '<a>; rel=canonical', `other ${A}`, '<base href="/nowhere/">'),
  // Two statements.
  header('both-agree', `<${A}>; rel="canonical"`, `other ${A}`, link(A)),
  header('both-disagree', `<${A}>; rel="canonical"`, `conflict ${A} ${B}`, link(B)),
  head('conflict', link(A) + link(B), `conflict ${A} ${B}`),
  // Ignored.
  head('in-body', `</head><body><div></div>${link(A)}`, 'absent'),
  head('after-script', `<script>"</head>"</script><noscript><p></noscript>${link(A)}`, `other ${A}`),
  head('ignored', link(A, ' media="print"'), 'absent'),
  head('ignored-no-url', link('http://['), 'absent'),
  head('ignored-and-one-that-counts', link(B, ' hreflang="de"') + link(A), `other ${A}`),
  header('anchor', `<${A}>; rel="canonical"; anchor="/x"`, 'absent'),
  // Chains: each page names the next one only.
  head('chain-1', link('chain-2'), 'other /canonical/chain-2'),
  head('chain-2', link(A), `other ${A}`),
  head('ring-1', link('ring-2'), 'other /canonical/ring-2'),
  head('ring-2', link('ring-1'), 'other /canonical/ring-1'),
  head('to-redirect', link('/redirect/301'), 'other /redirect/301'),
  head('to-closed', link('/closed/canonical'), 'other /closed/canonical'),
  closed('/closed/canonical', { isListed: false, depth: null }),
  // With noindex: both reasons apply.
  head('with-noindex', `${link(A)}<meta name="robots" content="noindex">`, `other ${A}`, {
    noindex: 'meta *: noindex',
    reasons: 'noindex canonicalised',
  }),
];
