// What the check of a page needs: verdicts, requests, and the reading of responses, which the service does in a thread.

import type { CollectedResponse } from '@maycrawl/client/internal';
import { isOwnRefusal } from '@maycrawl/client/policy';
import { truncate } from '@maycrawl/core/internal';
import type { PageJson } from '../../api/page-api.ts';
import type { NamedCrawler } from './common-crawlers.ts';
import type { JudgedPage, PageTask } from './judge-page.ts';

/** Characters of a rule or a message. A rule can have 16,000, and a report repeats it for each resource and each crawler. */
const MAX_TEXT = 200;

/** A verdict, and whether it is by groups that name the crawler. */
export type GroupedVerdict = Omit<PageJson<'Verdict'>, 'agent'> & {
  readonly group: 'own' | 'global' | 'none';
};

/** How a page is checked. */
export interface PageTools {
  /** Decides for each URL and each crawler, by the robots.txt of the origin of the URL, which is fetched first if that is due. */
  readonly decide: (
    urls: readonly string[],
    crawlers: readonly NamedCrawler[],
  ) => Promise<readonly (readonly GroupedVerdict[])[]>;
  /** Sends one request. @throws {RequestError} if there is no response. */
  readonly fetch: (url: string) => Promise<CollectedResponse>;
  readonly judge: (task: PageTask) => Promise<JudgedPage>;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

/** The JSON of a verdict, as the service and the command have it. */
export type VerdictJson =
  | (Omit<GroupedVerdict, 'message' | 'allowed'> & {
      readonly allowed: boolean;
      /** Why there is no file. */
      readonly code?: string;
      readonly message?: string;
    })
  | { readonly allowed: null; readonly error: { readonly code: string; readonly message: string } };

/** Converts the JSON of a verdict. Without a request for the robots.txt there is no verdict. */
export function toGroupedVerdict(answer: VerdictJson): GroupedVerdict {
  if (answer.allowed === null) {
    const { code, message } = answer.error;
    return { allowed: null, line: 0, rule: null, reason: code, message: cut(message), group: 'none' };
  }
  const { allowed, line, rule, reason, group, code = '', message = null } = answer;
  // It was this program that did not request the file, so that the crawler may get another response.
  if (reason === 'unreachable' && isOwnRefusal(code))
    return { allowed: null, line: 0, rule: null, reason: code, message: cut(message), group: 'none' };
  return { allowed, line, rule: cut(rule), reason, message: cut(message), group };
}

function cut<T extends string | null>(text: T): T | string {
  return text === null ? text : truncate(text, MAX_TEXT);
}
