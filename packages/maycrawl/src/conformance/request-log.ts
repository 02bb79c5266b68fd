// What a crawler has requested of one scenario. Its size does not depend on the number of requests.
import { truncate } from '@maycrawl/core/internal';

/** Names of crawlers that are stored. */
const MAX_NAMES = 5;
const MAX_NAME_CHARS = 200;

/** The requests for one page. */
export interface PageRequests {
  count: number;
  /** The phases in which it was requested; -1: before the first response to robots.txt. */
  readonly phases: Set<number>;
}

export class RequestLog {
  /** The current phase; -1 before the first request for robots.txt. */
  phase = -1;
  robotsRequests = 0;
  /** Requests for robots.txt with a validator. */
  conditionalRequests = 0;
  startRequests = 0;
  /** Requests before the time of a `Retry-After` header. */
  earlyRequests = 0;
  /** Requests for paths to which no link leads. */
  otherRequests = 0;
  readonly pages: ReadonlyMap<string, PageRequests>;
  readonly userAgents: Set<string> = new Set();
  #retryAt = 0;

  /** @param pages - the paths of the pages. */
  constructor(pages: readonly string[]) {
    this.pages = new Map(pages.map((page) => [page, { count: 0, phases: new Set<number>() }]));
  }

  /** Notes the name of a crawler, and whether it was to wait. @param now - in milliseconds. */
  addRequest(userAgent: string, now: number): void {
    if (this.userAgents.size < MAX_NAMES) this.userAgents.add(truncate(userAgent, MAX_NAME_CHARS));
    if (now < this.#retryAt) this.earlyRequests++;
  }

  /** Notes a request for robots.txt, which begins the next phase. */
  addRobotsRequest(phases: number, isConditional: boolean): void {
    this.robotsRequests++;
    if (isConditional) this.conditionalRequests++;
    this.phase = Math.min(this.phase + 1, phases - 1);
  }

  /** Sets the time until which the crawler must wait. */
  waitUntil(time: number): void {
    this.#retryAt = Math.max(this.#retryAt, time);
  }

  /** Notes a request for a page. @returns whether it is a page of the scenario. */
  addPageRequest(page: string): boolean {
    const requests = this.pages.get(page);
    if (requests === undefined) {
      this.otherRequests++;
      return false;
    }
    requests.count++;
    requests.phases.add(this.phase);
    return true;
  }
}
