// Listening on an address that options name.
import type { FastifyInstance } from 'fastify';
import { getHostName } from '../../../serve/http/host-guard.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';

/** Listens. @param option - the option of the port. @returns the URL. @throws {CommandError} after it has closed the server. */
export async function listen(
  app: Pick<FastifyInstance, 'listen' | 'close'>,
  host: string,
  port: number,
  option: string,
): Promise<string> {
  try {
    return await app.listen({ host, port });
  } catch (cause) {
    await app.close();
    const { code = String(cause) } = cause as NodeJS.ErrnoException;
    const where = `${visible(host)} port ${port}`;
    throw new CommandError(`cannot listen on ${where}: ${REASONS[code]?.(option) ?? code}`, { cause });
  }
}

/** @throws {CommandError} if a host name cannot be one. */
export function checkAllowedHosts(names: readonly string[]): void {
  for (const name of names)
    if (getHostName(name) === '')
      throw new CommandError(`--allowed-host must be a host name or an address, not ${visible(name)}`);
}

const REASONS: Readonly<Record<string, (option: string) => string>> = {
  EADDRINUSE: (option) => `the port is in use; choose another ${option}`,
  EACCES: (option) => `permission denied; choose a ${option} of at least 1024`,
  EADDRNOTAVAIL: () => 'this machine has no such address',
  ENOTFOUND: () => 'no such host',
};
