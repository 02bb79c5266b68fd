// How the command verifies crawlers.
import type { OperatorFinder } from '@maycrawl/core/crawlers';
import { DnsFileError, readDnsFile } from '../../../logs/identity/dns/dns-file.ts';
import { createNetworkLookups } from '../../../logs/identity/dns/dns-lookups.ts';
import { createDnsVerifier } from '../../../logs/identity/dns/dns-verifier.ts';
import { createIdentifier, type Identifier } from '../../../logs/identity/identity.ts';
import { readRangeStore } from '../../../logs/identity/range-store.ts';
import {
  createKeyFetcher,
  KeyFolderError,
  type KeySource,
  readKeyFolder,
} from '../../../logs/identity/signature/key-sources.ts';
import { createSignatureVerifier } from '../../../logs/identity/signature/signature-verifier.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import type { LogsOptions } from './options.ts';
import { withRangeErrors } from './ranges.ts';

/** An identifier, and the end of its connections. */
export interface OpenIdentifier {
  readonly identify: Identifier;
  readonly close: () => Promise<void>;
}

/** Creates the identifier. @throws {CommandError} if a file or folder cannot be read. */
export async function openIdentifier(
  { ranges, dns, resolve = false, keys, userAgent, allowPrivate }: LogsOptions,
  findOperator: OperatorFinder,
): Promise<OpenIdentifier> {
  if (dns !== undefined && resolve) throw new CommandError('use either --dns or --resolve');
  const store =
    ranges === undefined ? undefined : await withRangeErrors(ranges, () => readRangeStore(ranges));
  const lookups =
    dns === undefined
      ? resolve
        ? createNetworkLookups()
        : undefined
      : await withFileErrors(dns, () => readDnsFile(dns));
  const folder = keys === undefined ? undefined : await withFileErrors(keys, () => readKeyFolder(keys));
  const fetcher =
    folder === undefined && resolve
      ? createKeyFetcher({ userAgent, allowPrivateAddresses: allowPrivate })
      : undefined;
  const source: KeySource | undefined = folder ?? fetcher;
  const identify = createIdentifier({
    findOperator,
    ranges: store,
    dns: lookups && createDnsVerifier(lookups),
    signatures: source && createSignatureVerifier(source),
  });
  return { identify, close: async () => fetcher?.close() };
}

/** Runs what fails with errors for the user. @throws {CommandError} instead of them. */
async function withFileErrors<T>(name: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (cause) {
    if (cause instanceof DnsFileError || cause instanceof KeyFolderError)
      throw new CommandError(`cannot read ${visible(name)}: ${visible(cause.message)}`, { cause });
    throw cause;
  }
}
