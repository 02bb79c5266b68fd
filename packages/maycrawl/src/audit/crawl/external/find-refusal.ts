// Whether a URL that the crawl does not visit may be requested.
import { getOrigin } from '@maycrawl/core/url';
import type { RunStore } from '../../run/run-store.ts';
import type { Check } from '../../run/tables/check-table.ts';
import type { RobotsGuard } from '../robots-guard.ts';

/** Codes of a robots.txt that could not be fetched because its host does not respond. */
const NO_RESPONSE: ReadonlySet<string> = new Set(['timeout', 'network', 'private-address', 'blocked-port']);

/** Returns why a URL may not be requested; `null` if it may. */
export async function findRefusal(
  run: RunStore,
  guard: RobotsGuard,
  url: string,
  signal: AbortSignal,
): Promise<Pick<Check, 'code' | 'detail'> | null> {
  const origin = getOrigin(url);
  const detail = (await guard.getSite(origin, signal)).describeRefusal(url);
  if (detail === null) return null;
  // The page of a host that does not exist cannot be fetched, either.
  const { policy, code, message } = run.robots.get(origin) ?? {};
  const isDown = policy?.kind === 'disallow-all' && NO_RESPONSE.has(code ?? '');
  return isDown ? { code: code ?? null, detail: message ?? null } : { code: 'robots', detail };
}
