// The file with the tokens of the service, which can change while it runs.
import { unwatchFile, watchFile } from 'node:fs';
import { visible } from '../../../text/printable.ts';
import { readSecretFile } from '../../input/file.ts';
import { CommandError } from '../../output/errors.ts';

/** Where tokens come from. */
export interface TokenSources {
  readonly tokenFile?: string | undefined;
  /** Tokens in addition to those of the file. */
  readonly tokens?: readonly string[];
}

/** Maximum size of a file with tokens, in bytes. */
const MAX_TOKENS_BYTES = 2 ** 20;
/** Milliseconds between two checks of the file. The system does not report a file that a container mounts again. */
const INTERVAL = 2_000;

/** Reads all tokens. @throws {CommandError} if the file has no token, a token is invalid, or other users have access to the file. */
export async function readTokens({ tokenFile, tokens = [] }: TokenSources): Promise<string[]> {
  const ofFile = tokenFile === undefined ? [] : await readTokenFile(tokenFile);
  return [...ofFile, ...tokens.map(requireToken)];
}

async function readTokenFile(path: string): Promise<string[]> {
  const text = await readSecretFile(path, MAX_TOKENS_BYTES);
  const tokens = text.split(/\r?\n/).map((line) => line.trim());
  const written = tokens.filter((token) => token !== '' && !token.startsWith('#'));
  if (written.length === 0) throw new CommandError(`${visible(path)} has no tokens: write one a line`);
  const bad = tokens.findIndex((token) => !token.startsWith('#') && /[^!-~]/.test(token));
  if (bad < 0) return written;
  throw new CommandError(`${visible(path)}, line ${bad + 1}: a token must be ASCII without spaces`);
}

/** @throws {CommandError} if no client can send the token. */
function requireToken(token: string): string {
  if (/^[!-~]+$/.test(token)) return token;
  throw new CommandError('MAYCRAWL_SERVE_TOKENS: a token must be ASCII without spaces');
}

/** Calls a function, one call after another, when the file changes and at each SIGHUP. @returns a function that ends this. */
export function watchTokenFile(path: string, onChange: () => Promise<void>): () => void {
  let last = Promise.resolve();
  const change = (): void => {
    last = last.then(onChange);
  };
  watchFile(path, { interval: INTERVAL, persistent: false }, change);
  process.on('SIGHUP', change);
  return () => {
    unwatchFile(path, change);
    process.off('SIGHUP', change);
  };
}
