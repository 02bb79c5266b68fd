/**
 * What the service answers to `GET v1/robots` (docs/serve.md). It quotes what servers sent, and may be of another version:
 * every part is checked.
 *
 * @module
 */
import type { PolicySummary } from '@maycrawl/core';
import { parseTime, readPolicy } from '../../shared/policy.ts';
import { formatHeaderName } from '../../shared/text.ts';

/** The robots.txt of an origin, how it was fetched, and the policy. */
export interface OriginReport {
  readonly origin: string;
  readonly policy: PolicySummary;
  /** The result of the last fetch. */
  readonly result: string;
  readonly status: number | null;
  readonly code: string | null;
  readonly message: string | null;
  readonly hops: readonly {
    readonly url: string;
    readonly status: number | null;
    readonly location: string | null;
  }[];
  /** Those that were sent, as they were. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Milliseconds that the fetch took; `null` if that is not known. */
  readonly took: number | null;
  readonly fetchedAt: string | null;
  readonly expiresAt: string | null;
  /** The outage under way. Times are milliseconds since 1970. */
  readonly outage: { readonly since: number | null; readonly nextPhaseAt: number | null } | null;
  /** The file; `null` where there is none. */
  readonly content: Uint8Array | null;
  readonly events: readonly { readonly at: string; readonly result: string }[];
}

/** Reads a report; `null` if it is none. */
export function readOriginReport(json: unknown): OriginReport | null {
  if (!isRecord(json) || typeof json['origin'] !== 'string' || !isRecord(json['policy'])) return null;
  const { origin, policy, outage } = json;
  return {
    ...{ origin, policy: readPolicy(policy) },
    result: textOf(json['result']) ?? '',
    status: numberOf(json['status']),
    code: textOf(json['code']),
    message: textOf(json['message']),
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
    outage: isRecord(outage)
      ? { since: parseTime(outage['since']), nextPhaseAt: parseTime(outage['nextPhaseAt']) }
      : null,
    content: bytesOf(json['content']),
    events: recordsOf(json['events'])
      .slice(0, 100)
      .map(({ at, kind, status, code }) => ({
        at: textOf(at) ?? '',
        result: [textOf(kind), numberOf(status) === null ? textOf(code) : `status ${numberOf(status)}`]
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
