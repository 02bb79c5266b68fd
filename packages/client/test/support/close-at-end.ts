import { onTestFinished } from 'vitest';

/** Waits for a server, or something else that must be closed, and closes it when the test ends. */
export async function closeAtEnd<T extends { close(): Promise<unknown> }>(
  starting: T | Promise<T>,
): Promise<T> {
  const started = await starting;
  onTestFinished(async () => void (await started.close()));
  return started;
}
