/**
 * The response of the service to `GET v1/robots` (docs/serve.md). It quotes servers, and the service may have another version, so
 * every part is checked.
 *
 * @module
 */
import type { PolicySummary } from '@maycrawl/core';
import { parseTime, readPolicy } from '../../shared/service.ts';
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
  /** The headers of the response, unchanged. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The duration of the fetch in milliseconds; `null` if unknown. */
  readonly took: number | null;
  readonly fetchedAt: string | null;
  readonly expiresAt: string | null;
  /** The current outage. Times are milliseconds since 1970. */
  readonly outage: { readonly since: number | null; readonly nextPhaseAt: number | null } | null;
  /** The file; `null` if there is none. */
  readonly content: Uint8Array | null;
  readonly events: readonly { readonly at: string; readonly result: string }[];
}

/** Reads a report; `null` if it is invalid. */
export function readOriginReport(json: unknown): OriginReport | null {
  if (!isRecord(json) || typeof json['origin'] !== 'string' || !isRecord(json['policy'])) return null;
  const { origin, policy, outage } = json;
  return {
    origin,
    policy: readPolicy(policy),
    result: readText(json['result']) ?? '',
    status: readNumber(json['status']),
    code: readText(json['code']),
    message: readText(json['message']),
    hops: readRecords(json['hops']).map(({ url, status, location }) => {
      return { url: readText(url) ?? '', status: readNumber(status), location: readText(location) };
    }),
    headers: isRecord(json['headers'])
      ? Object.entries(json['headers']).flatMap(([name, value]) =>
          typeof value === 'string' ? [[formatHeaderName(name), value] as const] : [],
        )
      : [],
    took: isRecord(json['timings']) ? readNumber(json['timings']['total']) : null,
    fetchedAt: readText(json['fetchedAt']),
    expiresAt: readText(json['expiresAt']),
    outage: isRecord(outage)
      ? { since: parseTime(outage['since']), nextPhaseAt: parseTime(outage['nextPhaseAt']) }
      : null,
    content: readBytes(json['content']),
    events: readRecords(json['events'])
      .slice(0, 100)
      .map(({ at, kind, status, code }) => ({
        at: readText(at) ?? '',
        result: [
          readText(kind),
          readNumber(status) === null ? readText(code) : `status ${readNumber(status)}`,
        ]
          .filter((part) => part !== null)
          .join(', '),
      })),
  };
}

function readBytes(value: unknown): Uint8Array | null {
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

function readRecords(value: unknown): Record<string, unknown>[] {
  return Array.isArray(value) ? value.filter(isRecord) : [];
}

function readText(value: unknown): string | null {
  return typeof value === 'string' ? value : null;
}

function readNumber(value: unknown): number | null {
  return typeof value === 'number' && Number.isFinite(value) ? value : null;
}
