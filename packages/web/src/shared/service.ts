/**
 * The service beside the page, if there is one: it fetches what a page from another origin may not.
 *
 * @module
 */

import { type RobotsAnswer, readRobotsAnswer } from '../tester/load/robots-answer.ts';
import { readAll } from '../tester/state/share-link.ts';

/** Whether whoever served this page says that there is a service. */
export function isServiceThere(): boolean {
  return document.querySelector('meta[name="maycrawl-service"][content="v1"]') !== null;
}

/** Whether it has a monitor, whose pages are beside this one. */
export function isMonitorThere(): boolean {
  return document.querySelector('meta[name="maycrawl-watch"][content="v1"]') !== null;
}

/** Whether the service serves reports of audits. */
export function hasAudits(): boolean {
  return document.querySelector('meta[name="maycrawl-audits"][content="v1"]') !== null;
}

/** What came of a question. */
export type Reply =
  | { readonly kind: 'answer'; readonly answer: RobotsAnswer }
  | { readonly kind: 'token-needed' }
  | { readonly kind: 'problem'; readonly message: string };

/** An answer holds a file of at most 500 KiB in base64, headers and a history. */
const MAX_ANSWER = 8 * 1024 * 1024;

const TOKEN_KEY = 'maycrawl-token';

/** Keeps the token for as long as the tab is open. */
export function keepToken(token: string): void {
  sessionStorage.setItem(TOKEN_KEY, token);
}

/** The headers of a question: with the token, if one is kept. */
export function headersWithToken(more: Readonly<Record<string, string>>): Record<string, string> {
  const token = sessionStorage.getItem(TOKEN_KEY);
  return { ...more, ...(token !== null && { authorization: `Bearer ${token}` }) };
}

/** Forgets a token that the service does not know. */
export function dropToken(): void {
  sessionStorage.removeItem(TOKEN_KEY);
}

/** Asks for the robots.txt of a site. */
export async function askForRobots(site: string, signal: AbortSignal): Promise<Reply> {
  try {
    // Relative, so that it works below whatever path a proxy serves the page at.
    const response = await fetch(`v1/robots?${new URLSearchParams({ origin: site })}`, {
      signal,
      headers: headersWithToken({ accept: 'application/json' }),
    });
    if (response.status === 401) {
      dropToken();
      return { kind: 'token-needed' };
    }
    const bytes = response.body === null ? new Uint8Array() : await readAll(response.body, MAX_ANSWER);
    const json: unknown = bytes === null ? null : JSON.parse(new TextDecoder().decode(bytes));
    if (!response.ok) return { kind: 'problem', message: problemOf(json, response.status) };
    const answer = readRobotsAnswer(json);
    return answer === null
      ? { kind: 'problem', message: 'The service answered something else.' }
      : { kind: 'answer', answer };
  } catch (error) {
    return {
      kind: 'problem',
      message: `The service did not answer: ${error instanceof Error ? error.message : String(error)}`,
    };
  }
}

/** A problem document (RFC 9457) in one line. */
export function problemOf(json: unknown, status: number): string {
  const { title, detail } = (typeof json === 'object' && json !== null ? json : {}) as Record<
    string,
    unknown
  >;
  const told = [title, detail].filter((part) => typeof part === 'string' && part !== '');
  return told.length === 0 ? `The service answered with status ${status}.` : told.join(': ');
}

/** The origin that a person means: with https where no scheme is given. `null` if it is none. */
export function siteOf(written: string): string | null {
  const text = written.trim();
  const url = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `https://${text}`;
  if (text === '' || !URL.canParse(url)) return null;
  const { protocol, host } = new URL(url);
  return /^(https?|ftp):$/.test(protocol) && host !== '' ? `${protocol}//${host}` : null;
}
