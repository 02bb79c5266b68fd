// The host of a request.

/** The characters of names, addresses and ports. `_` occurs in names of DNS. */
const HOST = /^(?:\[[\da-f:.]+\]|[\da-z._-]+)$/;
const MAX_LENGTH = 255;

/**
 * Converts a host of a log to lower case, without the default port of HTTP and HTTPS and without the dot of an absolute name.
 *
 * @param port - the port, if the log has it apart.
 * @returns `undefined` for a text that is no host, such as `-` and `_`, the catch-all server of nginx.
 */
export function toHost(text: string, port?: string): string | undefined {
  if (text.length > MAX_LENGTH) return undefined;
  const lower = text.toLowerCase();
  const colon = lower.lastIndexOf(':');
  const hasPort = colon > lower.lastIndexOf(']') && lower.indexOf(':') >= (lower[0] === '[' ? 1 : colon);
  const written = hasPort ? lower.slice(colon + 1) : (port ?? '');
  let name = hasPort ? lower.slice(0, colon) : lower;
  if (name.endsWith('.')) name = name.slice(0, -1);
  if (!HOST.test(name) || !/[\da-z]/.test(name)) return undefined;
  const number = /^\d{1,5}$/.test(written) ? Number(written) : undefined;
  if (hasPort && written !== '' && number === undefined) return undefined;
  return number === undefined || number === 80 || number === 443 || number === 0 ? name : `${name}:${number}`;
}
