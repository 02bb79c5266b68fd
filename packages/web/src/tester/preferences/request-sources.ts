// Requests the declarations of a page from the service: its headers, its meta elements, and the tdmrep.json of its site.
import type { PreferenceReports } from 'maycrawl/api';
import { useState } from 'preact/hooks';
import { type Request, useRequest } from '../../shared/requests/use-request.ts';
import { formatMetas, type SourceTexts } from '../state/declaration-sources.ts';

/** Bytes of a response: lists of 2 MiB, and a tdmrep.json of 1 MB. */
const MAX_RESPONSE = 8 * 1024 * 1024;

/** The texts of a page, and what was not read. */
interface RequestedSources {
  readonly texts: Partial<SourceTexts>;
  readonly problems: readonly string[];
}

export interface SourcesRequest extends Pick<Request<PreferenceReports>, 'isRunning' | 'result'> {
  /** What was not read. */
  readonly problems: readonly string[];
  /** Requests the page. @param onTexts - receives its texts. */
  readonly onRequest: (url: string, onTexts: (texts: Partial<SourceTexts>) => void) => void;
}

/** Sends one request at a time. */
export function useSourcesRequest(): SourcesRequest {
  const { isRunning, result, send, reset } = useRequest<PreferenceReports>();
  const [problems, setProblems] = useState<readonly string[]>([]);
  const request = async (url: string, onTexts: (texts: Partial<SourceTexts>) => void): Promise<void> => {
    // The reports of the service are not used: those of the page follow the edits.
    const body = { url, agents: ['Googlebot'], fetch: true };
    const response = await send('v1/preferences', { method: 'POST', body, maxBytes: MAX_RESPONSE });
    if (response === null) return;
    const read = toTexts(url, response);
    if (read === null) return reset('The response of the service is not valid.');
    setProblems(read.problems);
    onTexts(read.texts);
  };
  return { isRunning, result, problems, onRequest: (url, onTexts) => void request(url, onTexts) };
}

/** Converts a response to texts; `null` without the sources. Those of sources that were not read stay. */
export function toTexts(url: string, { sources }: PreferenceReports): RequestedSources | null {
  if (sources === undefined) return null;
  const { headers, metas, tdmrep, problems } = sources;
  const isMissing = (name: 'page' | 'tdmrep.json'): boolean => problems.some(({ source }) => source === name);
  const texts: Partial<SourceTexts> = {
    ...(!isMissing('page') && {
      headers: headers.map(({ name, value }) => `${name}: ${value}`).join('\n'),
      html: formatMetas(metas),
      pageUrl: url,
    }),
    ...(!isMissing('tdmrep.json') && { tdmrep: tdmrep ?? '' }),
  };
  const messages = problems.map(({ url: target, message }) => `Not read: ${target} (${message}).`);
  return { texts, problems: messages };
}
