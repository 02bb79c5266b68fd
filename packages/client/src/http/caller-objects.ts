// Checks of objects that the caller passes. One without its methods must fail at the call that receives it, not at its first use.

/**
 * Requires that a value has methods.
 *
 * @param what - the value, for the message: `an address policy`.
 * @throws {TypeError} if one of the methods is missing. The message names the first one.
 */
export function requireMethods(what: string, value: unknown, names: readonly string[]): void {
  const members = value as Readonly<Record<string, unknown>> | null | undefined;
  const missing = names.find((name) => typeof members?.[name] !== 'function');
  if (missing !== undefined) throw new TypeError(`not ${what}: it has no method ${missing}`);
}

/** Requires that an option is a signal, or omitted. @throws {TypeError} if it is not. */
export function requireSignal(signal: AbortSignal | undefined): void {
  if (signal !== undefined)
    requireMethods('an AbortSignal', signal, ['throwIfAborted', 'addEventListener', 'removeEventListener']);
}
