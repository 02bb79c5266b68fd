// The service that serves the pages, if there is one: its token, requests to it, and values in its JSON. Paths are relative, so that
// they work below any path of a proxy.
import { getPolicyCode, getPolicySummary, type PolicyCode, type PolicySummary } from '@maycrawl/core';
import { findOrigin, hasScheme, parseUrl, removeFragment } from '@maycrawl/core/url';
import { readAll } from './read-all.ts';

/** Whether the server of this page has marked it as served by the service. */
export function hasService(): boolean {
  return document.querySelector('meta[name="maycrawl-service"][content="v1"]') !== null;
}

/** Whether the service has a monitor, whose pages are beside this one. */
export function hasMonitor(): boolean {
  return document.querySelector('meta[name="maycrawl-watch"][content="v1"]') !== null;
}

/** Whether the service serves reports of audits. */
export function hasAudits(): boolean {
  return document.querySelector('meta[name="maycrawl-audits"][content="v1"]') !== null;
}

const TOKEN_KEY = 'maycrawl-token';

/**
 * Stores the token until the tab is closed. No token has characters other than visible ASCII, and a browser does not send a header with
 * them: replaced, they make a token that the service refuses.
 */
export function storeToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token.trim().replace(/[^!-~]/g, '?'));
}

/** Adds the token to the headers of a request, if one is stored. */
export function addToken(headers: Readonly<Record<string, string>>): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return { ...headers, ...(token !== null && { authorization: `Bearer ${token}` }) };
}

export type Result<Value> =
  | { readonly kind: 'success'; readonly value: Value }
  | { readonly kind: 'problem'; readonly message: string; readonly status: number | null };

export interface RequestOptions {
  readonly method?: string;
  /** Sent as JSON. */
  readonly body?: object | undefined;
  readonly signal?: AbortSignal;
  /** A longer response is a problem. */
  readonly maxBytes: number;
}

/** Requests JSON from the service. A token that the service does not accept (status 401) is deleted. */
export async function requestJson(
  path: string,
  { method = 'GET', body, signal, maxBytes }: RequestOptions,
): Promise<Result<unknown>> {
  const hasToken = sessionStorage.getItem(TOKEN_KEY) !== null;
  try {
    const response = await fetch(path, {
      method,
      headers: addToken({
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      }),
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ?? null,
    });
    const { ok, status } = response;
    if (status === 401) {
      sessionStorage.removeItem(TOKEN_KEY);
      const message = hasToken ? 'The service does not accept this token.' : 'The service requires a token.';
      return { kind: 'problem', message, status };
    }
    const bytes = response.body === null ? new Uint8Array() : await readAll(response.body, maxBytes);
    if (bytes === null)
      return { kind: 'problem', message: 'The response of the service is too long.', status };
    const json: unknown = JSON.parse(new TextDecoder().decode(bytes));
    return ok
      ? { kind: 'success', value: json }
      : { kind: 'problem', message: describeProblem(json, status), status };
  } catch (error) {
    const cause = error instanceof Error ? error.message : String(error);
    return { kind: 'problem', message: `The service did not respond: ${cause}`, status: null };
  }
}

/** Formats a problem document (RFC 9457) as one line. */
function describeProblem(json: unknown, status: number): string {
  const { title, detail } = (json ?? {}) as Record<string, unknown>;
  const parts = [title, detail].filter((part) => typeof part === 'string' && part !== '');
  return parts.length === 0 ? `The service responded with status ${status}.` : parts.join(': ');
}

/** Returns the origin of a host or URL, with https if it has no scheme; `null` if it is invalid. */
export function parseSite(written: string): string | null {
  const text = written.trim();
  const url = hasScheme(text) ? text : `https://${text}`;
  return findOrigin(url) ?? null;
}

/**
 * Returns the URL that a host or URL names, with https if it has no scheme, and its origin; `null` if it is invalid. The fragment, which
 * is not sent to servers, is removed.
 */
export function parseSiteUrl(written: string): { readonly origin: string; readonly url: string } | null {
  const origin = parseSite(written);
  const text = written.trim();
  const parsed = parseUrl(hasScheme(text) ? text : `https://${text}`);
  // Without a scheme of the web, `mailto:a@b.example` would be a host with a user name.
  if (origin === null || parsed === undefined || parsed.username !== '') return null;
  return { origin, url: removeFragment(parsed.href) };
}

/** The message if {@link parseSite} returns `null`. */
export const INVALID_SITE = 'This is not a site: enter a host such as example.com, or a URL.';

/** Reads a policy from JSON. One that this version does not know is `unknown`. */
export function readPolicy(json: unknown): PolicySummary {
  return getPolicySummary(readPolicyCode(json));
}

export function readPolicyCode(json: unknown): PolicyCode {
  try {
    return getPolicyCode(json as PolicySummary);
  } catch {
    return 'unknown';
  }
}

/** Reads a time from JSON; `null` if it is invalid. */
export function parseTime(json: unknown): number | null {
  const time = typeof json === 'string' ? Date.parse(json) : Number.NaN;
  return Number.isNaN(time) ? null : time;
}
