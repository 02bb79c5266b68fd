// Immutable data. Callers share the histories of origins: what one of them changes must not change the decisions of others, or what a
// store contains.
import type { CachedResponse, OriginHistory } from './history.ts';

/** Copies plain data, such as parsed JSON, and freezes the copy. */
export function copyFrozen<T>(data: T): T {
  if (typeof data !== 'object' || data === null) return data;
  const copy: unknown = Array.isArray(data)
    ? data.map(copyFrozen)
    : Object.fromEntries(Object.entries(data).map(([name, value]) => [name, copyFrozen(value)]));
  return Object.freeze(copy as T);
}

/** Histories and responses that this module has created. */
const frozen: WeakSet<object> = /* @__PURE__ */ new WeakSet();

/**
 * Returns an immutable copy of a history; the history itself if it is such a copy. Bytes cannot be frozen, so each access to those of
 * the response returns a copy of them.
 */
export function freezeHistory(history: OriginHistory): OriginHistory {
  if (frozen.has(history)) return history;
  const { response, outage } = history;
  return register({ response: response && freezeResponse(response), outage: copyFrozen(outage) });
}

function freezeResponse(response: CachedResponse): CachedResponse {
  if (frozen.has(response)) return response;
  const { bytes, ...rest } = response;
  const content = new Uint8Array(bytes);
  return register({
    ...copyFrozen(rest),
    get bytes(): Uint8Array {
      return content.slice();
    },
  });
}

function register<T extends object>(created: T): T {
  frozen.add(created);
  return Object.freeze(created);
}
