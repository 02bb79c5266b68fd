/**
 * Requests the declarations of a page from the service: its headers, its meta elements, and the tdmrep.json of its site.
 *
 * @module
 */
import type { PreferenceReports } from 'maycrawl/api';
import { useRef, useState } from 'preact/hooks';
import { type Result, requestJson } from '../../shared/service.ts';
import { formatMetas, type SourceTexts } from '../state/declaration-sources.ts';

/** Bytes of a response: lists of 2 MiB, and a tdmrep.json of 1 MB. */
const MAX_RESPONSE = 8 * 1024 * 1024;

/** The texts of a page, and what was not read. */
interface RequestedSources {
  readonly texts: Partial<SourceTexts>;
  readonly problems: readonly string[];
}

/** The state of the request. */
export interface SourcesRequest {
  readonly isRunning: boolean;
  readonly result: Result<RequestedSources> | null;
  /** Requests the page. @param onTexts - receives its texts. */
  readonly onRequest: (url: string, onTexts: (texts: Partial<SourceTexts>) => void) => void;
}

/** Sends one request at a time. */
export function useSourcesRequest(): SourcesRequest {
  const [isRunning, setIsRunning] = useState(false);
  const [result, setResult] = useState<Result<RequestedSources> | null>(null);
  const running = useRef<AbortController | null>(null);
  const request = async (url: string, onTexts: (texts: Partial<SourceTexts>) => void): Promise<void> => {
    running.current?.abort();
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    // The reports of the service are not used: those of the page follow the edits.
    const body = { url, agents: ['Googlebot'], fetch: true };
    const response = await requestJson('v1/preferences', {
      ...{ method: 'POST', body, signal: controller.signal, maxBytes: MAX_RESPONSE },
    });
    if (controller.signal.aborted) return;
    setIsRunning(false);
    // The page and the service are of the same release.
    const next = response.kind === 'problem' ? response : toTexts(url, response.value as PreferenceReports);
    setResult(next);
    if (next.kind === 'success') onTexts(next.value.texts);
  };
  return { isRunning, result, onRequest: (url, onTexts) => void request(url, onTexts) };
}

/** Converts a response to texts. Those of sources that were not read stay. */
export function toTexts(url: string, { sources }: PreferenceReports): Result<RequestedSources> {
  if (sources === undefined)
    return { kind: 'problem', message: 'The response of the service is not valid.', status: null };
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
  return { kind: 'success', value: { texts, problems: messages } };
}
