// Requests a URL to find out whether it exists: with HEAD, and with GET if the server does not support HEAD. Redirects are followed.
import { followRedirects, isLocalFailure, RequestError } from '@maycrawl/client/internal';
import type { Check } from '../../run/tables/check-table.ts';
import type { CheckedResponse } from '../page-client.ts';

/** Maximum number of redirects that are followed. */
const MAX_REDIRECTS = 5;
/** Statuses of servers that do not support HEAD. */
const WITHOUT_HEAD: ReadonlySet<number> = new Set([405, 501]);

/** How a URL is requested. */
export interface CheckRequests {
  /** Sends one request; redirects are not followed. @throws {RequestError} if there is no response. */
  readonly request: (url: string, method: 'GET' | 'HEAD') => Promise<CheckedResponse>;
  /** Returns why a URL may not be requested, the first one and those of redirects; `null` if it may. */
  readonly findRefusal: (url: string) => Promise<Pick<Check, 'code' | 'detail'> | null>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** A check, and the URL at the end of the redirects that were followed. */
export interface FollowedCheck extends Check {
  readonly end: string;
}

/**
 * Checks a URL.
 *
 * @throws a failure of this machine, and the reason of the signal.
 */
export async function requestCheck(
  url: string,
  { request, findRefusal, now }: CheckRequests,
): Promise<FollowedCheck> {
  const about = { url, at: now(), end: url };
  try {
    let refusal = await findRefusal(url);
    if (refusal !== null) return { ...about, status: null, ...refusal };
    const { response, problem } = await followRedirects(url, {
      maxRedirects: MAX_REDIRECTS,
      request: async (target) => {
        const head = await request(target, 'HEAD');
        return WITHOUT_HEAD.has(head.status) ? request(target, 'GET') : head;
      },
      release: async () => {},
      mayFollow: async (target) => {
        refusal = await findRefusal(target);
        return refusal === null;
      },
    });
    const { status, url: end } = response;
    if (problem === undefined) return { ...about, end, status, code: null, detail: null };
    const detail = `its redirects end at ${end}: ${problem.kind}`;
    return { ...about, end, status, ...(refusal ?? { code: 'redirect', detail }) };
  } catch (error) {
    if (!(error instanceof RequestError) || isLocalFailure(error)) throw error;
    return { ...about, status: null, code: error.code, detail: error.message };
  }
}
