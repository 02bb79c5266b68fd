// Ports at which other services than web servers listen, which an HTTP request must not reach (Fetch Standard, section 2.9 "Port
// blocking", as of January 2026).

/** The "bad ports" of the Fetch Standard. */
const BAD_PORTS: ReadonlySet<number> = new Set([
  0, 1, 7, 9, 11, 13, 15, 17, 19, 20, 21, 22, 23, 25, 37, 42, 43, 53, 69, 77, 79, 87, 95, 101, 102, 103, 104,
  109, 110, 111, 113, 115, 117, 119, 123, 135, 137, 139, 143, 161, 179, 389, 427, 465, 512, 513, 514, 515,
  526, 530, 531, 532, 540, 548, 554, 556, 563, 587, 601, 636, 989, 990, 993, 995, 1719, 1720, 1723, 2049,
  3659, 4045, 4190, 5060, 5061, 6000, 6566, 6665, 6666, 6667, 6668, 6669, 6679, 6697, 10080,
]);

/** Ports at which a scheme's own servers listen. */
const OWN_PORTS: ReadonlyMap<string, ReadonlySet<number>> = new Map([
  ['ftp:', new Set([21])],
  ['smtp:', new Set([25, 465, 587])],
  ['smtps:', new Set([25, 465, 587])],
]);

/** A connection was refused, because services of another kind listen at its port. */
class BlockedPortError extends Error {
  override readonly name = 'BlockedPortError';
  readonly code = 'blocked-port';

  constructor(port: number) {
    super(`port ${port} is blocked: other services than web servers listen there (Fetch Standard)`);
  }
}

/**
 * Requires that requests of a scheme may be sent to a port.
 *
 * @param protocol - the scheme with its colon, as in `URL.protocol`.
 * @throws {BlockedPortError} if they may not.
 */
export function requireOpenPort(protocol: string, port: number): void {
  if (BAD_PORTS.has(port) && OWN_PORTS.get(protocol)?.has(port) !== true) throw new BlockedPortError(port);
}
