// What the targets of links responded with: pages of the run, and URLs that were only checked.
import type { RunStore } from '../run/run-store.ts';

/** The response of a target. */
export interface TargetStatus {
  /** `null`: no response, or it was not requested. */
  readonly status: number | null;
  /** The code of the failure if there is no response; `robots` if robots.txt disallows the request; otherwise `null`. */
  readonly failure: string | null;
}

/** Statuses of links, such as `404`, `4xx`, or `none` for URLs that do not respond. */
export type StatusPattern = string;

/** The statuses of broken links. */
export const BROKEN: readonly StatusPattern[] = ['4xx', '5xx', 'none'];

/** Number of cached targets. A full cache is cleared. */
const MAX_CACHED = 50_000;

const NOT_REQUESTED: TargetStatus = { status: null, failure: null };

/** Reads the responses of targets. */
export class TargetStatuses {
  readonly #run: RunStore;
  readonly #cache: Map<number, TargetStatus> = new Map();
  #hasChecks: boolean | undefined;
  /** Files with an error status that pages requested while they were rendered. */
  #rendered: ReadonlyMap<string, TargetStatus> | undefined;

  constructor(run: RunStore) {
    this.#run = run;
  }

  /** The response of a URL of the run. @param key - of the URL. */
  ofKey(key: number): TargetStatus {
    const cached = this.#cache.get(key);
    if (cached !== undefined) return cached;
    const found = this.#run.rows.response(key) ?? this.#ofCheck(this.#run.url(key)?.url);
    if (this.#cache.size >= MAX_CACHED) this.#cache.clear();
    this.#cache.set(key, found);
    return found;
  }

  /** The response of a URL that is in the run or not, such as a resource. */
  ofUrl(url: string): TargetStatus {
    const key = this.#run.findKey(url);
    const response = key === undefined ? this.#ofCheck(url) : this.ofKey(key);
    if (response !== NOT_REQUESTED) return response;
    this.#rendered ??= readRendered(this.#run);
    return this.#rendered.get(url) ?? response;
  }

  #ofCheck(url: string | undefined): TargetStatus {
    this.#hasChecks ??= this.#run.checks.count() > 0;
    const check = url === undefined || !this.#hasChecks ? undefined : this.#run.checks.find(url);
    return check === undefined ? NOT_REQUESTED : { status: check.status, failure: check.code };
  }
}

function readRendered(run: RunStore): Map<string, TargetStatus> {
  const statuses = new Map<string, TargetStatus>();
  for (const { outcome } of run.renderings.list())
    for (const { url, reason } of outcome.kind === 'rendered' ? outcome.refused : []) {
      const [, status] = /^status-(\d{3})$/.exec(reason) ?? [];
      if (status !== undefined) statuses.set(url, { status: Number(status), failure: null });
    }
  return statuses;
}

/** Returns whether a text is a {@link StatusPattern}. */
export function isStatusPattern(text: string): boolean {
  return /^(?:[1-9]\d\d|[1-9]xx|none)$/.test(text);
}

/** Codes of requests that were not sent, which say nothing about the URL. */
const REFUSED: ReadonlySet<string> = new Set(['robots', 'overloaded', 'private-address', 'blocked-port']);

/** Returns whether a URL does not exist, fails or does not respond. Other errors may only be the answer to a program. */
export function isBroken({ status, failure }: TargetStatus): boolean {
  if (status === null) return failure !== null && !REFUSED.has(failure);
  return status === 404 || status === 410 || (status >= 500 && status < 600);
}

/** Returns whether a response has one of the statuses. */
export function hasStatus({ status, failure }: TargetStatus, patterns: readonly StatusPattern[]): boolean {
  if (status === null) return failure !== null && !REFUSED.has(failure) && patterns.includes('none');
  const text = String(status);
  return patterns.includes(text) || patterns.includes(`${text[0]}xx`);
}
