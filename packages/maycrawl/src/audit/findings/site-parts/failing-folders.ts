// Segments of a site, such as large folders, whose URLs lead only to errors.
import type { Reason } from '@maycrawl/core/indexability';
import { formatCount } from '../../../text/counts.ts';
import { REASON_TEXTS } from '../../../text/reasons.ts';
import type { Finding } from '../../run/records/finding.ts';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { RunStore } from '../../run/run-store.ts';
import type { Segments } from '../../segments/segments.ts';
import type { PageCounts } from './page-counts.ts';

/** URLs of a segment, at least, and the share of them that lead to errors. */
const [MIN_URLS, MIN_SHARE] = [5, 0.9] as const;

const ERRORS: readonly Reason[] = ['not-found', 'error', 'unreachable'];

interface FolderCount {
  /** The first URL. */
  readonly key: number;
  urls: number;
  readonly errors: Map<Reason, number>;
}

/** Finds the segments. @param agent - index of the crawler. */
export function* findFailingFolders(
  run: RunStore,
  agent: number,
  { byReason }: PageCounts,
  segments: Segments,
): Generator<Finding<'failing-folder'>> {
  const all = ERRORS.reduce((sum, reason) => sum + byReason[reason], 0);
  if (all < MIN_URLS * MIN_SHARE) return;
  for (const [segment, { key, urls, errors }] of countErrors(run, agent, segments)) {
    const failing = [...errors.values()].reduce((sum, count) => sum + count, 0);
    if (urls < MIN_URLS || failing < urls * MIN_SHARE) continue;
    const texts = ERRORS.flatMap((reason) => {
      const count = errors.get(reason) ?? 0;
      return count === 0 ? [] : [`${Math.floor((100 * count) / urls)} % ${REASON_TEXTS[reason].pages}`];
    });
    const detail = `${segments.names[segment]}: ${texts.join(', ')} (${formatCount(urls, 'URL')})`;
    yield { code: 'failing-folder', agent, key, detail, targets: [] };
  }
}

function countErrors(run: RunStore, agent: number, segments: Segments): Map<number, FolderCount> {
  const counts = new Map<number, FolderCount>();
  for (const { key, url, reasons } of run.rows.judgedUrlsOf(agent)) {
    const segment = segments.find(url);
    const count = counts.get(segment) ?? { key, urls: 0, errors: new Map() };
    counts.set(segment, count);
    count.urls++;
    const [primary] = unpackReasons(reasons);
    if (primary !== undefined && ERRORS.includes(primary))
      count.errors.set(primary, (count.errors.get(primary) ?? 0) + 1);
  }
  return counts;
}
