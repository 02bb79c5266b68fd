// The sources of preferences that a site serves beside its robots.txt: the page itself, and `/.well-known/tdmrep.json`.
import { RequestError } from '@maycrawl/client/internal';
import type { PageSources, SiteSources } from '@maycrawl/core/preferences';
import { getOrigin } from '@maycrawl/core/url';
import { readPage } from '../html/read-page.ts';
import { describeStatus, MAX_TDMREP, readTdmRepFile, TDMREP_PATH } from './tdmrep-file.ts';

/** A source that was not read. */
export interface SourceProblem {
  readonly source: 'page' | 'tdmrep.json';
  /** Its URL, or the path of the file that replaces it. */
  readonly url: string;
  /** The reason, as a sentence without a full stop. */
  readonly message: string;
}

/** What was fetched, and the problems with the rest. */
export interface FetchedSources {
  /** The response with the page; `null` if it does not exist. */
  readonly page: SourceResponse | null;
  /** The text of `/.well-known/tdmrep.json`; `null` if it does not exist. */
  readonly tdmrep: string | null;
  readonly problems: readonly SourceProblem[];
}

/** A response with its body. */
interface SourceResponse {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Uint8Array;
}

/** What is requested, and how. */
export interface PageRequest {
  readonly url: string;
  /** Whether robots.txt allows maycrawl itself to request a URL. */
  readonly isAllowed: (url: string) => boolean | Promise<boolean>;
  /** Whether the page and the file are requested. */
  readonly wants: { readonly page: boolean; readonly tdmrep: boolean };
  /** Requests a page, without following redirects. Only HTML has a body. @throws {RequestError} if there is no response. */
  readonly fetch: (url: string) => Promise<SourceResponse>;
  /** Likewise requests a file, whose body is read whatever its type is. @throws {RequestError} if there is no response. */
  readonly fetchFile: (url: string, maxBytes: number) => Promise<SourceResponse>;
}

/** Requests the sources of a URL. One that fails, or that robots.txt does not allow, is a problem, not an error. */
export async function fetchPageSources(request: PageRequest): Promise<FetchedSources> {
  const { url, isAllowed, wants } = request;
  const problems: SourceProblem[] = [];
  const send = async (
    source: SourceProblem['source'],
    target: string,
    fetch: (url: string) => Promise<SourceResponse>,
  ): Promise<SourceResponse | null> => {
    const response = (await isAllowed(target))
      ? await fetch(target).catch(describeFailure)
      : 'robots.txt disallows it';
    if (typeof response !== 'string') return response;
    problems.push({ source, url: target, message: response });
    return null;
  };
  const tdmUrl = getOrigin(url) + TDMREP_PATH;
  const page = wants.page ? await send('page', url, request.fetch) : null;
  const fetchFile = (target: string): Promise<SourceResponse> => request.fetchFile(target, MAX_TDMREP);
  const response = wants.tdmrep ? await send('tdmrep.json', tdmUrl, fetchFile) : null;
  const pageProblem = page === null ? null : describeStatus(page);
  if (pageProblem !== null) problems.push({ source: 'page', url, message: pageProblem });
  const file = response === null ? null : readTdmRepFile(response);
  if (file?.problem) problems.push({ source: 'tdmrep.json', url: tdmUrl, message: file.problem });
  return { page: pageProblem === null ? page : null, tdmrep: file?.text ?? null, problems };
}

/** Reads what was fetched. A page of 5 MB may take seconds. @param url - of the page. */
export function readFetchedSources(
  url: string,
  { page, tdmrep }: FetchedSources,
): PageSources & Pick<SiteSources, 'tdmrep'> {
  const own = page === null ? null : readPage({ url, ...page }, page.body).preferences;
  return { ...own, ...(tdmrep !== null && { tdmrep }) };
}

/** @throws an error that is not about the request. */
function describeFailure(error: unknown): string {
  if (error instanceof RequestError) return error.message;
  throw error;
}
