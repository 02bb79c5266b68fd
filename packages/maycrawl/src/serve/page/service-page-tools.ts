// The tools with which the service checks a page: its decisions, its bounded requests, and a thread.
import type { Profile } from '@maycrawl/core';
import type { JudgedPage, PageTask } from '../../audit/page/judge-page.ts';
import { type GroupedVerdict, type PageTools, toGroupedVerdict } from '../../audit/page/page-tools.ts';
import type { Decider } from '../decide/decider.ts';
import type { RunInThread } from '../limits/threads.ts';
import type { Work } from '../limits/work.ts';
import type { PageRequests } from './page-requests.ts';

/** The parts of the service that check pages. */
export interface PageParts {
  readonly decider: Decider;
  readonly requests: PageRequests;
  readonly runInThread: RunInThread<PageTask, JudgedPage>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

export function createServicePageTools(
  { decider, requests, runInThread, now }: PageParts,
  profile: Profile,
  work: Work,
): PageTools {
  return {
    decide: async (urls, crawlers) => {
      // By crawler: a thread decides about many URLs in one task if they are for one crawler.
      const decisionRequests = crawlers.flatMap((agent) => urls.map((url) => ({ url, agent })));
      const verdicts: GroupedVerdict[] = [];
      for await (const responses of decider.decideAll(decisionRequests, profile, work))
        for (const response of responses) verdicts.push(toGroupedVerdict(JSON.parse(response)));
      return urls.map((_, row) =>
        crawlers.map((_crawler, column) => verdicts[column * urls.length + row] as GroupedVerdict),
      );
    },
    fetch: (url) => requests.run(url, work, (client) => client.fetch(url, work.signal)),
    judge: (task) => runInThread(task, task.body.length, work),
    now,
  };
}
