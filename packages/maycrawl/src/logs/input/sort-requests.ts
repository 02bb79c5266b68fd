// The order of requests. Servers write a line when a response ends, so that lines are out of order by seconds or minutes.
import type { LogRequest } from '../request.ts';

/** Requests that are sorted together, at least: a request moves over at most this number of others. */
const WINDOW = 10_000;

/** Sorts requests that are nearly in the order of their times. Those of the same time keep their order. Memory is bounded. */
export async function* sortRequests(
  batches: AsyncIterable<readonly LogRequest[]>,
): AsyncGenerator<readonly LogRequest[]> {
  let pending: LogRequest[] = [];
  for await (const batch of batches) {
    for (const request of batch) pending.push(request);
    if (pending.length < 2 * WINDOW) continue;
    pending.sort(compareTimes);
    yield pending.slice(0, -WINDOW);
    pending = pending.slice(-WINDOW);
  }
  if (pending.length > 0) yield pending.sort(compareTimes);
}

function compareTimes(a: LogRequest, b: LogRequest): number {
  return a.time - b.time;
}
