/**
 * The check of a page by the service (docs/serve.md), and what the tab has of it.
 *
 * @module
 */
import type { PageReport } from 'maycrawl/api';
import { useRef, useState } from 'preact/hooks';
import { parseSiteUrl, type Result, requestJson } from '../../shared/service.ts';
import { addCommonCrawlers } from '../state/crawlers.ts';

/** Bytes of a response: hundreds of resources for each crawler. */
const MAX_RESPONSE = 16 * 1024 * 1024;

const INVALID_URL = 'This is not a page: enter a URL such as https://example.com/page.';

/** The state of the tab, which stays when another tab is shown. */
export interface PageCheck {
  /** The URL as it was typed; `null`: the one of the selected row of the matrix. */
  readonly typed: string | null;
  readonly isRunning: boolean;
  readonly result: Result<PageReport> | null;
  /** The name of the crawler that the details are for; `null`: the first one. */
  readonly agent: string | null;
  readonly onType: (typed: string) => void;
  readonly onAgent: (agent: string) => void;
  /** Checks a URL, for the crawlers of the matrix and the common ones. */
  readonly onCheck: (url: string, crawlers: readonly string[], profile: string) => void;
}

/** The state of the tab. */
export function usePageCheck(): PageCheck {
  const [typed, onType] = useState<string | null>(null);
  const [agent, onAgent] = useState<string | null>(null);
  const [isRunning, setIsRunning] = useState(false);
  const [result, setResult] = useState<Result<PageReport> | null>(null);
  const running = useRef<AbortController | null>(null);
  const check = async (written: string, crawlers: readonly string[], profile: string): Promise<void> => {
    running.current?.abort();
    const target = parseSiteUrl(written);
    if (target === null || !/^https?:/.test(target.url)) {
      setIsRunning(false);
      setResult({ kind: 'problem', message: INVALID_URL, status: null });
      return;
    }
    const controller = new AbortController();
    running.current = controller;
    setIsRunning(true);
    const next = await requestPage(target.url, addCommonCrawlers(crawlers), profile, controller.signal);
    // Another page was requested meanwhile.
    if (controller.signal.aborted) return;
    setIsRunning(false);
    setResult(next);
  };
  return {
    ...{ typed, isRunning, result, agent, onType, onAgent },
    onCheck: (url, crawlers, profile) => void check(url, crawlers, profile),
  };
}

async function requestPage(
  url: string,
  agents: readonly string[],
  profile: string,
  signal: AbortSignal,
): Promise<Result<PageReport>> {
  const body = { url, agents, profile };
  const result = await requestJson('v1/page', { method: 'POST', body, signal, maxBytes: MAX_RESPONSE });
  // The page and the service are of the same release.
  return result as Result<PageReport>;
}
