import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { onTestFinished } from 'vitest';
import { REDIS_PACKAGES } from './redis-clients.mjs';
import { serve } from './server.ts';

/** What a process sends at its end. */
interface ProcessResult {
  readonly counts: { readonly allowed: number; readonly disallowed: number };
  /** When the last verdict of each origin came. Milliseconds since 1970. */
  readonly decidedAt: readonly number[];
}

/** A process that decides. */
export interface ClientProcess {
  /** Sends the message `waiting` when another process has the lease of an origin. */
  readonly child: ChildProcess;
  /** Resolves when the process has ended, with `undefined` if it was killed. */
  readonly result: Promise<ProcessResult | undefined>;
}

/**
 * Starts a process with a client that decides. It is killed at the end of the test if it has not ended.
 *
 * @param place - of its store: path of a SQLite file, or URL of a database or of Redis.
 * @param callers - the number of concurrent callers for each origin.
 * @param index - its number, which chooses the package of its Redis client.
 */
export function startClientProcess(
  place: string,
  origins: readonly string[],
  callers: number,
  index = 0,
): ClientProcess {
  const script = new URL('./client-process.mjs', import.meta.url);
  const redisPackage = REDIS_PACKAGES[index % REDIS_PACKAGES.length];
  const child = fork(script, [JSON.stringify({ place, origins, callers, redisPackage })], { execArgv: [] });
  onTestFinished(() => void child.kill('SIGKILL'));
  let message: ProcessResult | undefined;
  child.on('message', (result) => {
    if (result !== 'waiting') message = result as ProcessResult;
  });
  return { child, result: once(child, 'exit').then(() => message) };
}

/**
 * Decides in two processes with 1,000 callers each, whose clients share a store.
 *
 * @param place - as that of {@link startClientProcess}.
 * @returns the numbers of verdicts, and the requests to the origin.
 */
export async function decideInTwoProcesses(
  place: string,
): Promise<{ results: unknown[]; requests: string[] }> {
  const server = await serve((_request, response) => {
    setTimeout(() => response.end('User-agent: *\nDisallow: /private\n'), 50);
  });
  try {
    const processes = [0, 1].map((index) => startClientProcess(place, [server.origin], 1000, index));
    const results = await Promise.all(processes.map(async ({ result }) => (await result)?.counts));
    return { results, requests: server.requests };
  } finally {
    await server.close();
  }
}
