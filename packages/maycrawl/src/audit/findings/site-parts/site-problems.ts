// What is wrong with a site as a whole, and with large parts of it, for each crawler of a run.
import type { Reason } from '@maycrawl/core/indexability';
import { REASON_TEXTS } from '../../../text/reasons.ts';
import { RobotsLines } from '../../judge/robots-lines.ts';
import type { Finding } from '../../run/records/finding.ts';
import { unpackReasons } from '../../run/records/reasons.ts';
import type { RunStore } from '../../run/run-store.ts';
import { getSettings } from '../../run/settings.ts';
import { getSegments } from '../../segments/segments.ts';
import { findFailingFolders } from './failing-folders.ts';
import { LostParts, type PartNames } from './lost-parts.ts';
import { countPages, describeShare, type PageCounts } from './page-counts.ts';
import type { SiteCode } from './site-kinds.ts';

/** Reasons for which a page is lost. */
const LOSSES: readonly Reason[] = ['blocked', 'noindex', 'error', 'unreachable'];

/** The share of the pages that is most of a site, and the pages of a site, at least. */
const [MOST, MIN_PAGES] = [0.5, 2] as const;
/** Hosts whose home pages are looked at. */
const MAX_HOMES = 1_000;

/** Finds the problems. */
export function* findSiteProblems(run: RunStore, agents: readonly string[]): Generator<Finding<SiteCode>> {
  const countsByAgent = agents.map((_, agent) => countPages(run, agent));
  if (countsByAgent.every(isWithoutLoss)) return;
  const homes = findHomes(run);
  const segments = getSegments(run);
  const names: PartNames = {
    lines: new RobotsLines(run),
    folders: segments.kind === 'folders' ? segments : getSegments(run, []),
    hasHosts: run.rows.getAuditedHosts().size > 1,
  };
  for (const [agent, counts] of countsByAgent.entries()) {
    const lost = new LostParts(run, agent, counts, names);
    yield* findLostHomes(run, agent, homes, lost);
    yield* findShare(agent, counts, lost.intended, homes);
    yield* findFailingFolders(run, agent, counts, segments);
    yield* lost.find();
  }
}

/** Whether there is no page that any of these problems can be about. */
function isWithoutLoss({ byReason }: PageCounts): boolean {
  return byReason['not-found'] === 0 && LOSSES.every((reason) => byReason[reason] === 0);
}

/** Finds the root of each audited host; without such a URL the starts of an audit without a list. */
function findHomes(run: RunStore): number[] {
  const { starts, list } = getSettings(run);
  const hosts = [...run.rows.getAuditedHosts()].slice(0, MAX_HOMES);
  const roots = hosts.flatMap((host) => [`https://${host}/`, `http://${host}/`]);
  const find = (urls: readonly string[]): number[] => urls.flatMap((url) => run.findKey(url) ?? []);
  const homes = find(roots);
  return homes.length > 0 || list !== null ? homes : find(starts);
}

function* findLostHomes(
  run: RunStore,
  agent: number,
  homes: readonly number[],
  lost: LostParts,
): Generator<Finding<SiteCode>> {
  for (const key of homes) {
    const page = run.rows.lostPage(key, agent);
    if (page === undefined) continue;
    const [reason] = unpackReasons(page.reasons);
    const status = page.status === null ? 'no response' : `status ${page.status}`;
    const isKept = reason === 'blocked' || reason === 'noindex';
    if (!isKept && reason !== 'error' && reason !== 'unreachable' && reason !== 'not-found') continue;
    const detail = isKept ? lost.describe(page) : status;
    yield { code: 'home-not-indexable', agent, key, detail, targets: [] };
  }
}

/** Finds whether most of the site cannot be indexed. The finding is at its home page. */
function* findShare(
  agent: number,
  { pages, byReason }: PageCounts,
  intended: number,
  [home]: readonly number[],
): Generator<Finding<SiteCode>> {
  const wanted = pages - intended;
  const lost = LOSSES.reduce((sum, reason) => sum + byReason[reason], 0) - intended;
  if (home === undefined || wanted < MIN_PAGES || lost < wanted * MOST) return;
  const causes = LOSSES.flatMap((reason) =>
    byReason[reason] === 0 ? [] : [`${byReason[reason]} ${REASON_TEXTS[reason].pages}`],
  );
  const detail = `${describeShare(lost, wanted)}: ${causes.join(', ')}`;
  yield { code: 'site-not-indexable', agent, key: home, detail, targets: [] };
}
