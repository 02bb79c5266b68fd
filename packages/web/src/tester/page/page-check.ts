// The check of a page by the service (docs/serve.md), and what the tab has of it.
import type { PageReport } from 'maycrawl/api';
import { useState } from 'preact/hooks';
import { parseSiteUrl } from '../../shared/requests/service.ts';
import { type Request, useRequest } from '../../shared/requests/use-request.ts';
import { addCommonCrawlers } from '../state/crawlers.ts';

/** Bytes of a response: hundreds of resources for each crawler. */
const MAX_RESPONSE = 16 * 1024 * 1024;

const INVALID_URL = 'This is not a page: enter a URL such as https://example.com/page.';

/** The state of the tab, which stays when another tab is shown. */
export interface PageCheck extends Pick<Request<PageReport>, 'isRunning' | 'result'> {
  /** The URL as it was typed; `null`: the one of the selected row of the matrix. */
  readonly typed: string | null;
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
  const { isRunning, result, send, reset } = useRequest<PageReport>();
  const onCheck: PageCheck['onCheck'] = (written, crawlers, profile) => {
    const target = parseSiteUrl(written);
    if (target === null || !/^https?:/.test(target.url)) return reset(INVALID_URL);
    const body = { url: target.url, agents: addCommonCrawlers(crawlers), profile };
    void send('v1/page', { method: 'POST', body, maxBytes: MAX_RESPONSE });
  };
  return { typed, isRunning, result, agent, onType, onAgent, onCheck };
}
