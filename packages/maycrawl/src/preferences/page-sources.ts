/**
 * The sources of preferences that a site serves beside its robots.txt: the page itself, and `/.well-known/tdmrep.json`.
 *
 * @module
 */
import { RequestError } from '@maycrawl/client/http';
import { decideByPolicy, type RobotsPolicy } from '@maycrawl/core';
import type { PageSources, SiteSources } from '@maycrawl/core/preferences';
import { getOrigin } from '@maycrawl/core/url';
import { OWN_AGENT } from '../audit/crawl/robots-guard.ts';
import { readPage } from '../audit/html/read-page.ts';
import { describeStatus, MAX_TDMREP, readTdmRepFile, TDMREP_PATH } from './tdmrep-file.ts';

/** A source that was not read. */
export interface SourceProblem {
  readonly source: 'page' | 'tdmrep.json';
  readonly url: string;
  /** The reason, as a sentence without a full stop. */
  readonly message: string;
}

/** The sources that were read, and the problems with the others. */
export interface FetchedSources {
  readonly sources: PageSources & Pick<SiteSources, 'tdmrep'>;
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
  /** Requests a page, without following redirects. Only HTML has a body. @throws {RequestError} if there is no response. */
  readonly fetch: (url: string) => Promise<Response>;
  /** Likewise requests a file, whose body is read whatever its type is. @throws {RequestError} if there is no response. */
  readonly fetchFile: (url: string, maxBytes: number) => Promise<Response>;
}

/** Requests the sources of a URL. One that fails, or that robots.txt does not allow, is a problem, not an error. */
export async function fetchPageSources(request: PageRequest): Promise<FetchedSources> {
  const { url, policy, wants } = request;
  const problems: SourceProblem[] = [];
  const send = async (
    source: SourceProblem['source'],
    target: string,
    fetch: (url: string) => Promise<Response>,
  ): Promise<Response | null> => {
    const message =
      decideByPolicy(policy, [OWN_AGENT], target).kind === 'allowed' ? null : 'robots.txt disallows it';
    const response = message === null ? await fetch(target).catch(describeFailure) : message;
    if (typeof response !== 'string') return response;
    problems.push({ source, url: target, message: response });
    return null;
  };
  const tdmUrl = getOrigin(url) + TDMREP_PATH;
  const page = wants.page ? await send('page', url, request.fetch) : null;
  const fetchFile = (target: string): Promise<Response> => request.fetchFile(target, MAX_TDMREP);
  const response = wants.tdmrep ? await send('tdmrep.json', tdmUrl, fetchFile) : null;
  const pageProblem = page === null ? null : describeStatus(page);
  if (pageProblem !== null) problems.push({ source: 'page', url, message: pageProblem });
  const file = response === null ? null : readTdmRepFile(response);
  if (file?.problem) problems.push({ source: 'tdmrep.json', url: tdmUrl, message: file.problem });
  const own =
    page === null || pageProblem !== null ? null : readPage({ url, ...page }, page.body).preferences;
  return {
    sources: { ...own, ...(typeof file?.text === 'string' && { tdmrep: file.text }) },
    problems,
  };
}

/** @throws an error that is not about the request. */
function describeFailure(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  throw error;
}
