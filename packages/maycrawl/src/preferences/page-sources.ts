/**
 * The sources of preferences that a site serves beside its robots.txt: the page itself, and `/.well-known/tdmrep.json`.
 *
 * @module
 */
import { RequestError } from '@maycrawl/client/http';
import { decideByPolicy, type RobotsPolicy } from '@maycrawl/core';
import type { PreferenceSources } from '@maycrawl/core/preferences';
import { getOrigin } from '@maycrawl/core/url';
import { OWN_AGENT } from '../audit/crawl/robots-guard.ts';
import { decodeHtml } from '../audit/html/charset.ts';
import { readHtml } from '../audit/html/html-reader.ts';
import { PAGE_LIMITS } from '../audit/html/read-page.ts';

/** A source that was not read. */
export interface SourceProblem {
  readonly source: 'page' | 'tdmrep.json';
  readonly url: string;
  /** The reason, as a sentence without a full stop. */
  readonly message: string;
}

/** The sources that were read, and the problems with the others. */
export interface PageSources {
  readonly sources: Pick<PreferenceSources, 'headers' | 'metas' | 'tdmrep'>;
  readonly problems: readonly SourceProblem[];
}

/** A response with its body. */
interface Response {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What is requested, and how. */
export interface PageRequest {
  readonly url: string;
  /** Decides whether maycrawl itself may request the URLs. */
  readonly policy: RobotsPolicy;
  /** Whether the page and the file are requested. */
  readonly wants: { readonly page: boolean; readonly tdmrep: boolean };
  /** Sends one request, without following redirects. @throws {RequestError} if there is no response. */
  readonly fetch: (url: string) => Promise<Response>;
}

/** Bytes of a tdmrep.json. */
const MAX_TDMREP = 1_000_000;

/** Reads the headers and the meta elements of a page. @param headers - empty if only the HTML is known. */
export function readPageStatements(
  html: string | null,
  headers: Response['headers'] = [],
): Pick<PreferenceSources, 'headers' | 'metas'> {
  return { headers, metas: html === null ? [] : (readHtml(html, PAGE_LIMITS.items).metas ?? []) };
}

/** Requests the sources of a URL. One that fails, or that robots.txt does not allow, is a problem, not an error. */
export async function fetchPageSources({ url, policy, wants, fetch }: PageRequest): Promise<PageSources> {
  const problems: SourceProblem[] = [];
  const request = async (source: SourceProblem['source'], target: string): Promise<Response | null> => {
    const message =
      decideByPolicy(policy, [OWN_AGENT], target).kind === 'allowed' ? null : 'robots.txt disallows it';
    const response = message === null ? await fetch(target).catch(describeFailure) : message;
    if (typeof response !== 'string') return response;
    problems.push({ source, url: target, message: response });
    return null;
  };
  const tdmUrl = `${getOrigin(url)}/.well-known/tdmrep.json`;
  const page = wants.page ? await request('page', url) : null;
  const file = wants.tdmrep ? await request('tdmrep.json', tdmUrl) : null;
  const pageProblem = page === null ? null : describeStatus(page.status);
  if (pageProblem !== null) problems.push({ source: 'page', url, message: pageProblem });
  const isMissing = file !== null && (file.status === 404 || file.status === 410);
  const fileProblem = file === null || isMissing ? null : describeFile(file);
  if (fileProblem !== null) problems.push({ source: 'tdmrep.json', url: tdmUrl, message: fileProblem });
  const hasFile = file !== null && !isMissing && fileProblem === null;
  return {
    sources: {
      ...(page !== null && pageProblem === null ? readResponse(page) : {}),
      ...(hasFile ? { tdmrep: new TextDecoder().decode(file.body) } : {}),
    },
    problems,
  };
}

function readResponse({ headers, body }: Response): Pick<PreferenceSources, 'headers' | 'metas'> {
  const type = headers.findLast(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const isHtml = type === undefined || /^\s*(?:text\/html|application\/xhtml\+xml)\s*(?:;|$)/i.test(type);
  return readPageStatements(isHtml ? decodeHtml(body.subarray(0, PAGE_LIMITS.bytes), type) : null, headers);
}

function describeStatus(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400 ? `it redirects (status ${status})` : `status ${status}`;
}

function describeFile({ status, body }: Response): string | null {
  return describeStatus(status) ?? (body.length > MAX_TDMREP ? `it has more than ${MAX_TDMREP} bytes` : null);
}

/** @throws an error that is not about the request. */
function describeFailure(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  throw error;
}
