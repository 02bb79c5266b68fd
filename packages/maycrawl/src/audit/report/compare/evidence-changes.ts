// Changes of the evidence about one URL, as text.
import type { UrlReport } from '../url-report.ts';

/** Names and values to compare; `null` for values that the crawler cannot see. */
const ASPECTS: readonly (readonly [name: string, format: (report: UrlReport) => string | null])[] = [
  [
    'robots.txt',
    ({ crawl }) =>
      crawl &&
      `${crawl.allowed ? 'allowed' : 'disallowed'} (${crawl.rule === null ? crawl.reason : `line ${crawl.line}: ${crawl.rule}`})`,
  ],
  ['response', ({ failure }) => (failure === null ? 'received' : failure.code)],
  ['status', ({ status }) => (status === null ? null : String(status))],
  ['redirect', ({ redirects }) => redirects && (redirects.at(-1)?.to ?? 'none')],
  [
    'noindex',
    ({ noindex }) => noindex && (noindex.map(({ from, text }) => `${from} "${text}"`).join(', ') || 'none'),
  ],
  ['canonical', ({ canonical }) => canonical && [canonical.kind, ...canonical.urls].join(' ')],
];

/** Describes the differences between two records of one URL. A block hides all other evidence. */
export function describeChanges(before: UrlReport, after: UrlReport): string[] {
  return ASPECTS.flatMap(([name, format]) => {
    const [old, now] = [format(before), format(after)];
    return old === null || now === null || old === now ? [] : [`${name}: ${old} → ${now}`];
  });
}
