/**
 * What the service answers to `GET v1/robots` (docs/serve.md). It quotes what servers sent, and may be of another version:
 * every part is checked.
 *
 * @module
 */
import { formatHeaderName } from '../../shared/text.ts';

/** What is known of an origin's robots.txt. */
export interface RobotsAnswer {
  readonly origin: string;
  /** What holds now. */
  readonly use: string;
  readonly outcome: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly reason: string | null;
  readonly hops: readonly {
    readonly url: string;
    readonly status: number | null;
    readonly location: string | null;
  }[];
  /** Those that were sent, as they were. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds that the fetch took; `null` if nobody knows. */
  readonly took: number | null;
  readonly fetchedAt: string | null;
  readonly expiresAt: string | null;
  /** Since when the site fails; `null` if it does not. */
  readonly failsSince: string | null;
  /** The file; `null` where there is none. */
  readonly content: Uint8Array | null;
  readonly events: readonly { readonly at: string; readonly what: string }[];
}

/** Reads an answer; `null` if it is none. */
export function readRobotsAnswer(json: unknown): RobotsAnswer | null {
  if (!isRecord(json) || typeof json['origin'] !== 'string' || typeof json['use'] !== 'string') return null;
  const { origin, use } = json;
  return {
    ...{ origin, use },
    outcome: textOf(json['outcome']) ?? '',
    status: numberOf(json['status']),
    code: textOf(json['code']),
    reason: textOf(json['reason']),
    hops: recordsOf(json['hops']).map(({ url, status, location }) => ({
      ...{ url: textOf(url) ?? '', status: numberOf(status), location: textOf(location) },
    })),
    headers: isRecord(json['headers'])
      ? Object.entries(json['headers']).flatMap(([name, value]) =>
          typeof value === 'string' ? [[formatHeaderName(name), value] as const] : [],
        )
      : [],
    took: isRecord(json['timings']) ? numberOf(json['timings']['total']) : null,
    fetchedAt: textOf(json['fetchedAt']),
    expiresAt: textOf(json['expiresAt']),
    failsSince: isRecord(json['outage']) ? (textOf(json['outage']['since']) ?? '') : null,
    content: bytesOf(json['content']),
    events: recordsOf(json['events'])
      .slice(0, 100)
      .map(({ at, kind, status, code }) => ({
        at: textOf(at) ?? '',
        what: [textOf(kind), numberOf(status) === null ? textOf(code) : `status ${numberOf(status)}`]
          .filter((part) => part !== null)
          .join(', '),
      })),
  };
}

function bytesOf(value: unknown): Uint8Array | null {
  if (typeof value !== 'string') return null;
  try {
    return Uint8Array.from(atob(value), (char) => char.charCodeAt(0));
  } catch {
    return null;
  }
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function recordsOf(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function textOf(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function numberOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
