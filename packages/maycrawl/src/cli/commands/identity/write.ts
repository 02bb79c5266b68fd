// `maycrawl identity init`, `rotate` and `publish`: the folder of an identity.
import { join } from 'node:path';
import { IdentityError } from '@maycrawl/client';
import { toAgentOrigin } from '@maycrawl/client/internal';
import { isAgentToken } from '@maycrawl/core';
import { describeFileError } from '../../../files/file-error.ts';
import {
  createIdentity,
  PUBLIC_FOLDER,
  publishIdentity,
  rotateIdentity,
  type WrittenIdentity,
} from '../../../identity/write-identity.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, printLine } from '../../output/standard-output.ts';
import { formatKeyTimes } from './key-times.ts';
import type { IdentityInitOptions, IdentityPublishOptions, IdentityRotateOptions } from './options.ts';

/**
 * Creates an identity.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if an option is invalid, the folder has an identity, or a file cannot be written.
 */
export async function initIdentity(
  [folder = '']: readonly string[],
  { agent, name, contact = [], page, ips, signedFor, json, ...card }: IdentityInitOptions,
): Promise<number> {
  const origin = toAgentOrigin(agent);
  if (origin === undefined)
    throw new CommandError(
      `--agent must be an https origin such as https://bot.example, not ${visible(agent)}`,
    );
  if (!isAgentToken(name))
    throw new CommandError(`--name must be a product token such as MyBot, not ${visible(name)}`);
  for (const each of contact) requireUri('--contact', each, /^/);
  if (page !== undefined) requireUri('--page', page, /^https?:$/);
  if (ips !== undefined) requireUri('--ips', ips, /^https:$/);
  const settings = { ...card, name, contacts: contact, page, ips };
  const written = await withFolderErrors(folder, () =>
    createIdentity(folder, origin, settings, { time: Date.now(), signedFor }),
  );
  if (json) printJson(written, 2);
  else {
    printFiles(folder, written);
    printLine('');
    printLine(`serve the folder ${visible(join(folder, PUBLIC_FOLDER))} at ${origin}, then run:`);
    printLine(`  maycrawl identity check ${origin}`);
  }
  return 0;
}

/**
 * Adds a key to an identity.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the folder has no identity, or a file cannot be written.
 */
export async function rotateIdentityKeys(
  [folder = '']: readonly string[],
  { lead, overlap, signedFor, json }: IdentityRotateOptions,
): Promise<number> {
  const options = { time: Date.now(), lead, overlap, signedFor };
  printWritten(folder, await withFolderErrors(folder, () => rotateIdentity(folder, options)), json);
  return 0;
}

/**
 * Writes the public files of an identity again.
 *
 * @returns the exit code: 0.
 * @throws {CommandError} if the folder has no identity, or a file cannot be written.
 */
export async function publishIdentityFiles(
  [folder = '']: readonly string[],
  { signedFor, json }: IdentityPublishOptions,
): Promise<number> {
  const options = { time: Date.now(), signedFor };
  printWritten(folder, await withFolderErrors(folder, () => publishIdentity(folder, options)), json);
  return 0;
}

function printWritten(folder: string, written: WrittenIdentity, json: boolean | undefined): void {
  if (json) {
    printJson(written, 2);
    return;
  }
  printFiles(folder, written);
  printLine('');
  for (const key of written.keys) printLine(`key ${key.id}: ${formatKeyTimes(key)}`);
  printLine(`deploy the folder ${visible(join(folder, PUBLIC_FOLDER))} again`);
}

function printFiles(folder: string, { files }: WrittenIdentity): void {
  for (const file of files) printLine(`wrote ${visible(join(folder, file))}`);
}

function requireUri(option: string, uri: string, protocol: RegExp): void {
  if (URL.canParse(uri) && protocol.test(new URL(uri).protocol)) return;
  throw new CommandError(`${option} must be a URL, not ${visible(uri)}`);
}

/** Runs what fails with errors for the user. @throws {CommandError} instead of them. */
async function withFolderErrors<T>(folder: string, run: () => Promise<T>): Promise<T> {
  if (folder === '') throw new CommandError('the name of the folder is empty');
  try {
    return await run();
  } catch (cause) {
    if (cause instanceof IdentityError)
      throw new CommandError(`${visible(folder)}: ${visible(cause.message)}`, { cause });
    if (!(cause instanceof Error) || !('syscall' in cause)) throw cause;
    const hasIdentity = 'code' in cause && cause.code === 'EEXIST';
    const problem = hasIdentity
      ? 'it has an identity; maycrawl identity rotate adds a key to it'
      : describeFileError(cause);
    throw new CommandError(`${visible(folder)}: ${problem}`, { cause });
  }
}
