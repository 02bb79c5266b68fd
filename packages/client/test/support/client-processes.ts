import { fork } from 'node:child_process';
import { once } from 'node:events';
import { serve } from './server.ts';

/**
 * Two processes, each with a client that shares a store with the other, and 1,000 callers for the same origin.
 *
 * @param place - path of a SQLite file, or URL of a database.
 * @returns what they decided, and what the origin was asked for.
 */
export async function askFromTwoProcesses(
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
