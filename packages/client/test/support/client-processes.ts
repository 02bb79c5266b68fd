import { fork } from 'node:child_process';
import { once } from 'node:events';
import { serve } from './server.ts';

/**
 * Decides in two processes with 1,000 callers each, whose clients share a store.
 *
 * @param place - path of a SQLite file, or URL of a database.
 * @returns the numbers of verdicts, and the requests to the origin.
 */
export async function decideInTwoProcesses(
  place: string,
): Promise<{ results: unknown[]; requests: string[] }> {
  const server = await serve((_request, response) => {
    setTimeout(() => response.end('User-agent: *\nDisallow: /private\n'), 50);
  });
  try {
    const script = new URL('./client-process.mjs', import.meta.url);
    const processes = [1, 2].map(() => fork(script, [place, server.origin], { execArgv: [] }));
    const results = await Promise.all(
      processes.map(async (child) => {
        const [message] = (await once(child, 'message')) as [unknown];
        await once(child, 'exit');
        return message;
      }),
    );
    return { results, requests: server.requests };
  } finally {
    await server.close();
  }
}
