/**
 * What changed in the evidence about one URL, in words.
 *
 * @module
 */
import type { UrlReport } from '../url-report.ts';

/** What is compared: a name, and what stands for it; `null` for what the crawler cannot see. */
const ASPECTS: readonly (readonly [name: string, told: (report: UrlReport) => string | null])[] = [
  [
    'robots.txt',
    ({ crawl }) =>
      crawl &&
      `${crawl.allowed ? 'allowed' : 'disallowed'} (${crawl.rule === null ? crawl.reason : `line ${crawl.line}: ${crawl.rule}`})`,
  ],
  ['answer', ({ failure }) => (failure === null ? 'came' : failure.code)],
  ['status', ({ status }) => (status === null ? null : String(status))],
  ['leads to', ({ redirects }) => redirects && (redirects.at(-1)?.to ?? 'nothing else')],
  [
    'noindex',
    ({ noindex }) => noindex && (noindex.map(({ from, text }) => `${from} "${text}"`).join(', ') || 'none'),
  ],
  ['canonical', ({ canonical }) => canonical && [canonical.kind, ...canonical.urls].join(' ')],
];

/** The differences between two records of one URL. A block hides the rest, so then only that is told. */
export function changesIn(before: UrlReport, after: UrlReport): string[] {
  return ASPECTS.flatMap(([name, told]) => {
    const [old, now] = [told(before), told(after)];
    return old === null || now === null || old === now ? [] : [`${name}: ${old} → ${now}`];
  });
}
