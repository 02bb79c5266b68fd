/**
 * All combinations of access, status, noindex, canonical and discovery. The expected reasons come from
 * {@link getExpectedReasons}, which is written from the documentation ("What a page says about itself") only.
 *
 * @module
 */
import { type ByAgent, type Case, html } from './case.ts';

const CRAWLS: Readonly<Record<string, Pick<Case, 'crawl' | 'state'>>> = {
  open: {},
  part: { crawl: ['+0', '+0', '-20', '+33'] },
  closed: { crawl: ['-26', '-26', '-30', '-34'], state: 'blocked' },
};
const STATUSES = [200, 301, 404, 403] as const;
/** The head, a header, and the directive that forbids indexing for each crawler. */
const NOINDEXES = {
  index: ['', '', '', ['', '', '', '']],
  meta: ['<meta name="robots" content="noindex">', '', 'meta *: noindex', undefined],
  header: ['', 'googlebot: none', '', ['header googlebot: none', 'header googlebot: none', '', '']],
} as const;
const CANONICALS = ['plain', 'self', 'other', 'header'] as const;
const LINK_TYPES = ['linked', 'listed', 'both'] as const;
const TARGET = '/combo/target';

/** Returns the reasons of a page that may be fetched, the primary one first. */
function getExpectedReasons(status: number, isForbidden: boolean, isCanonicalised: boolean): string {
  const reasons: string[] = [];
  if (status === 403) reasons.push('error');
  if (status === 301) reasons.push('redirect');
  if (status === 404) reasons.push('not-found');
  if (isForbidden) reasons.push('noindex');
  if (isCanonicalised) reasons.push('canonicalised');
  return reasons.join(' ');
}

function* combine(): Generator<Case> {
  for (const [folder, { crawl, state }] of Object.entries(CRAWLS))
    for (const status of STATUSES)
      for (const [noindex, [tag, header, all, some]] of Object.entries(NOINDEXES))
        for (const canonical of CANONICALS)
          for (const way of LINK_TYPES) {
            const url = `/combo/${folder}/${status}-${noindex}-${canonical}-${way}`;
            const isCanonicalised = canonical === 'other' || canonical === 'header';
            const forbidden = some ?? ([all, all, all, all] as const);
            const reasons = forbidden.map((each) => getExpectedReasons(status, each !== '', isCanonicalised));
            const isBlocked = (agent: number): boolean =>
              folder === 'closed' || (folder === 'part' && agent === 2);
            const href = canonical === 'self' ? url : TARGET;
            yield {
              url,
              served: {
                status,
                headers: [
                  ...(status === 301 ? [['Location', TARGET] as const] : []),
                  ...(header === '' ? [] : [['X-Robots-Tag', header] as const]),
                  ...(canonical === 'header' ? [['Link', `<${TARGET}>; rel="canonical"`] as const] : []),
                ],
                body: html(
                  `${tag}${canonical === 'self' || canonical === 'other' ? `<link rel="canonical" href="${href}">` : ''}`,
                ),
              },
              ...(crawl !== undefined && { crawl }),
              ...(state !== undefined && { state }),
              isListed: way !== 'listed',
              depth: way === 'listed' ? null : 2,
              redirects: status === 301 ? `301 ${TARGET}` : '',
              noindex: forbidden,
              canonical: canonical === 'plain' ? 'absent' : canonical === 'self' ? 'self' : `other ${TARGET}`,
              reasons: mapAgents((agent) => (isBlocked(agent) ? 'blocked' : (reasons[agent] as string))),
              // If no crawler may fetch the page, its hidden reasons are unknown.
              hidden: mapAgents((agent) =>
                folder === 'part' && agent === 2 ? (reasons[agent] as string) : '',
              ),
              links: [
                ...(status === 301 ? [`redirect ${TARGET}`] : []),
                ...(canonical === 'plain' ? [] : [`canonical ${href}`]),
              ],
            };
          }
}

/** Whether the sitemap names a combination. */
export function isInSitemap({ url }: Pick<Case, 'url'>): boolean {
  return url.endsWith('-listed') || url.endsWith('-both');
}

function mapAgents(getValue: (agent: number) => string): ByAgent {
  return [getValue(0), getValue(1), getValue(2), getValue(3)];
}

export const COMBINATIONS: readonly Case[] = [
  { url: TARGET, served: { body: html() } },
  // Pages that are only in the sitemap redirect to it.
  ...combine(),
];
