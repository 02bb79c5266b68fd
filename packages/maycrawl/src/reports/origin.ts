/**
 * What is known of an origin, as the JSON that programs read.
 *
 * @module
 */
import type { OriginState, StoreEvent } from '@maycrawl/client';

/** The file, how it came, what holds now and until when, and what happened before, the newest first. */
export function originReport(state: OriginState, events: readonly StoreEvent[]): object {
  const { origin, use, askAt, history } = state;
  const { answer, outage } = history;
  const last = outage ?? answer;
  return {
    origin,
    url: `${origin}/robots.txt`,
    use,
    outcome: outage === null ? (answer?.kind ?? null) : 'unreachable',
    status: last?.status ?? null,
    code: last?.code ?? null,
    reason: last?.reason ?? null,
    hops: last?.hops ?? [],
    headers: outage === null ? (answer?.headers ?? null) : null,
    timings: last?.timings ?? null,
    fetchedAt: timeOf(outage?.lastAt ?? answer?.fetchedAt),
    expiresAt: timeOf(askAt),
    outage:
      outage === null
        ? null
        : {
            since: timeOf(outage.since),
            lastAt: timeOf(outage.lastAt),
            failures: outage.failures,
            retryAt: timeOf(outage.retryAt ?? undefined),
          },
    bytes: answer?.bytes.length ?? 0,
    content: answer?.kind === 'found' ? Buffer.from(answer.bytes).toString('base64') : null,
    events: events.map(({ at, ...event }) => ({ at: timeOf(at), ...event })),
  };
}

function timeOf(milliseconds: number | undefined): string | null {
  return milliseconds === undefined ? null : new Date(milliseconds).toISOString();
}
