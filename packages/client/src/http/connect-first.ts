// Connecting to the first of several addresses that accepts (Happy Eyeballs, RFC 8305 section 5). Knows nothing of names.
//
// Unlike `autoSelectFamily` of `net.connect`, an attempt goes on while the next one runs, so that a host which takes longer than the
// delay is reached all the same.
import { connect, isIPv6, type Socket } from 'node:net';
import { unlessAborted } from '../event-loop/abort.ts';
import { isLocalFailure } from './local-failure.ts';

/** Milliseconds after which the next address is tried as well. */
const ATTEMPT_DELAY = 250;
/** Addresses that are tried. */
const MAX_ATTEMPTS = 6;

/**
 * Connects by TCP.
 *
 * @param addresses - IP addresses. The two families take turns, beginning with that of the first address.
 * @returns a connected socket. All other attempts have ended.
 * @throws the error of the attempt, or an AggregateError with the `code` of the first one of several.
 * @throws the signal's reason if it is aborted.
 */
export async function connectToFirst(
  addresses: readonly string[],
  port: number,
  signal: AbortSignal,
): Promise<Socket> {
  signal.throwIfAborted();
  const waiting = interleaveFamilies(addresses).slice(0, MAX_ATTEMPTS);
  const sockets = new Set<Socket>();
  const errors: Error[] = [];
  let timer: NodeJS.Timeout | undefined;
  try {
    const connecting = new Promise<Socket>((resolve, reject) => {
      const tryNext = (): void => {
        clearTimeout(timer);
        const host = waiting.shift();
        if (host === undefined) return;
        const socket = connect({ host, port });
        sockets.add(socket);
        socket.once('connect', () => {
          sockets.delete(socket);
          socket.removeListener('error', onError);
          resolve(socket);
        });
        const onError = (error: Error): void => {
          sockets.delete(socket);
          errors.push(error);
          if (isLocalFailure(error)) reject(error);
          else if (waiting.length > 0) tryNext();
          else if (sockets.size === 0) reject(summarize(errors));
        };
        socket.once('error', onError);
        if (waiting.length > 0) timer = setTimeout(tryNext, ATTEMPT_DELAY);
      };
      tryNext();
    });
    return await unlessAborted(connecting, signal);
  } finally {
    clearTimeout(timer);
    for (const socket of sockets) socket.on('error', () => {}).destroy();
  }
}

/** Puts the addresses of both families in turns, as one family may have no route. */
function interleaveFamilies(addresses: readonly string[]): string[] {
  const [first = ''] = addresses;
  const same = addresses.filter((each) => isIPv6(each) === isIPv6(first));
  const other = addresses.filter((each) => isIPv6(each) !== isIPv6(first));
  return same
    .flatMap((each, index) => [each, ...other.slice(index, index + 1)])
    .concat(other.slice(same.length));
}

function summarize(errors: readonly Error[]): Error {
  const [first] = errors;
  if (first !== undefined && errors.length === 1) return first;
  const { code, message } = (first ?? {}) as NodeJS.ErrnoException;
  return Object.assign(new AggregateError(errors, message ?? 'there is no address'), { code });
}
