// Writes the folder of an identity: private keys, and the files that its agent serves.
//
//   identity.json                                         the agent
//   keys/<thumbprint>.json                                private keys, for their owner alone
//   public/.well-known/http-message-signatures-directory  the directory of their public parts
//   public/signature-agent-card.json                      the card
//   public/_headers, nginx.conf                           the headers of the directory, for two kinds of servers
import { generateKeyPairSync } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { IdentityError } from '@maycrawl/client';
import {
  DIRECTORY_PATH,
  getThumbprint,
  IDENTITY_FILE,
  KEYS_FOLDER,
  makeFolder,
  makePrivateFolder,
  readIdentity,
  type StoredKey,
} from '@maycrawl/client/internal';
import { replaceFile } from '../files/replace-file.ts';
import {
  CARD_PATH,
  type CardSettings,
  createDirectoryHeaders,
  formatCard,
  formatDirectory,
  formatHeadersFile,
  formatNginxFile,
} from './public-files.ts';

/** The folder of the files that the agent serves. */
export const PUBLIC_FOLDER = 'public';

/** When files are written, and how long they are valid. Milliseconds. */
export interface WriteOptions {
  /** The time, since 1970. */
  readonly time: number;
  /** How long the signatures of the directory are valid. */
  readonly signedFor: number;
}

/** How keys change. Milliseconds. */
export interface RotateOptions extends WriteOptions {
  /** After which time the new key is used: verifiers need it before. */
  readonly lead: number;
  /** How long the other keys stay valid after that. */
  readonly overlap: number;
}

/** What was written. */
export interface WrittenIdentity {
  readonly agent: string;
  /** The keys of the directory, the first one first. Times are in milliseconds since 1970, `null` if there is no limit. */
  readonly keys: readonly {
    readonly id: string;
    readonly notBefore: number | null;
    readonly notAfter: number | null;
  }[];
  /** Paths of files in the folder. */
  readonly files: readonly string[];
}

/**
 * Creates an identity with one key.
 *
 * @param agent - an https origin.
 * @throws {Error} of the system, `EEXIST` if the folder has an identity.
 */
export async function createIdentity(
  folder: string,
  agent: string,
  settings: CardSettings,
  options: WriteOptions,
): Promise<WrittenIdentity> {
  makeFolder(folder);
  // The first file decides which of two processes creates the identity.
  await writeFile(join(folder, IDENTITY_FILE), `${JSON.stringify({ agent }, null, 2)}\n`, { flag: 'wx' });
  const key = await createKey(folder, options.time);
  await writePublicFile(folder, CARD_PATH, formatCard(agent, settings));
  const written = await publishIdentity(folder, options);
  return { ...written, files: [IDENTITY_FILE, key, PUBLIC_FOLDER + CARD_PATH, ...written.files] };
}

/**
 * Adds a key to an identity, limits the use of the other ones, and removes those that have expired.
 *
 * @throws {IdentityError} if the folder has no identity.
 * @throws {Error} of the system.
 */
export async function rotateIdentity(folder: string, options: RotateOptions): Promise<WrittenIdentity> {
  const { time, lead, overlap } = options;
  const { keys } = readIdentity(folder);
  const start = time + lead;
  // The new key first: a failure in between leaves one that is not used yet.
  const key = await createKey(folder, start);
  const limited = keys.filter(({ notAfter }) => notAfter > start + overlap);
  for (const each of limited) {
    const jwk = { ...each.jwk, exp: toSeconds(start + overlap) };
    await replaceFile(join(folder, KEYS_FOLDER, each.file), formatKey(jwk));
  }
  const written = await publishIdentity(folder, options);
  return { ...written, files: [key, ...written.files] };
}

/**
 * Writes the directory of an identity and its headers again, without keys that have expired. The card stays.
 *
 * @throws {IdentityError} if the folder has no identity, or no key that has not expired.
 * @throws {Error} of the system.
 */
export async function publishIdentity(folder: string, options: WriteOptions): Promise<WrittenIdentity> {
  const identity = readIdentity(folder);
  // A key can also end before it was ever used.
  const isExpired = ({ notBefore, notAfter }: StoredKey): boolean =>
    notAfter <= Math.max(notBefore, options.time);
  const keys = identity.keys.filter((key) => !isExpired(key));
  if (keys.length === 0) throw new IdentityError('invalid-identity', 'all keys of the identity have expired');
  for (const { file } of identity.keys.filter(isExpired)) await rm(join(folder, KEYS_FOLDER, file));
  const directory = formatDirectory(keys);
  const headers = createDirectoryHeaders({ ...identity, keys }, directory, options);
  const files = [PUBLIC_FOLDER + DIRECTORY_PATH, `${PUBLIC_FOLDER}/_headers`, 'nginx.conf'];
  await writePublicFile(folder, DIRECTORY_PATH, directory);
  await writePublicFile(folder, '/_headers', formatHeadersFile(headers));
  await replaceFile(join(folder, 'nginx.conf'), formatNginxFile(headers));
  const toTime = (time: number): number | null => (Number.isFinite(time) ? time : null);
  return {
    agent: identity.agent,
    keys: keys.map(({ id, notBefore, notAfter }) => ({
      ...{ id, notBefore: toTime(notBefore), notAfter: toTime(notAfter) },
    })),
    files,
  };
}

/** Creates a private key that is used from a time on. @returns its path in the folder. */
async function createKey(folder: string, notBefore: number): Promise<string> {
  const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
  const kid = getThumbprint(jwk) as string;
  makePrivateFolder(join(folder, KEYS_FOLDER));
  const path = `${KEYS_FOLDER}/${kid}.json`;
  const content = formatKey({ ...jwk, kid, use: 'sig', nbf: toSeconds(notBefore) });
  await writeFile(join(folder, path), content, { flag: 'wx', mode: 0o600 });
  return path;
}

function formatKey(jwk: object): string {
  return `${JSON.stringify(jwk, null, 2)}\n`;
}

async function writePublicFile(folder: string, path: string, content: string): Promise<void> {
  const file = join(folder, PUBLIC_FOLDER, path);
  makeFolder(dirname(file));
  await replaceFile(file, content);
}

function toSeconds(time: number): number {
  return Math.floor(time / 1000);
}
