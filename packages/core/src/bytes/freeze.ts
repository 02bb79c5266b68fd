// Immutable data: what a caller can reach must not change the decisions of other callers.

/** Freezes an object or array, and all that it contains. The data must not contain itself. */
export function freezeDeep<T>(data: T): T {
  if (typeof data === 'object' && data !== null && !Object.isFrozen(data)) {
    for (const value of Object.values(data)) freezeDeep(value);
    Object.freeze(data);
  }
  return data;
}
