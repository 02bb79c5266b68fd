// The requests of a browser page: which may be sent, and the turns of its navigations.
import { removeFragment } from '@maycrawl/core/url';
import { callListener } from '../event-loop/call-listener.ts';
import { requireAllowed } from '../origins/refusal.ts';
import type { Turn } from '../pace/turn.ts';
import { type Decider, OUTSIDE, takeTurn } from './forbidden.ts';

/** Options of the guards of pages. */
export interface PageOptions {
  /** Whether scripts, styles, images and data that a page loads must be allowed, too. They have no pace. @defaultValue `false` */
  readonly subresources?: boolean;
  /** Is called with the error of each request that was not sent, such as a frame or an image of a page. */
  readonly onRefused?: (error: unknown, url: string) => void;
}

/** A response of a page, in Playwright and in Puppeteer. */
export interface PageResponse {
  /** The URL of the request. */
  url(): string;
  /** The status. */
  status(): number;
  /** The headers, with names in lower case. */
  headers(): Readonly<Record<string, string>>;
}

/** A request of a page that failed, in Playwright and in Puppeteer. */
export interface FailedRequest {
  /** The URL. */
  url(): string;
  /** The error of the browser; `null` if it has not failed. */
  failure(): { readonly errorText: string } | null;
}

/** A request that a page is about to send. */
interface PageRequest {
  /** The object that {@link PageRequests.fail} gets if it fails while it waits. */
  readonly request: Partial<Pick<FailedRequest, 'failure'>>;
  readonly url: string;
  readonly isNavigation: boolean;
  /** Whether the page itself navigates, not a frame in it. */
  readonly isMainFrame: boolean;
  /** The URL that redirects to it; `undefined` if it is no target of a redirect. */
  readonly redirectedFrom: string | undefined;
}

/** Decides about the requests of one page. */
export class PageRequests {
  readonly #client: Decider;
  readonly #options: PageOptions;
  /** Turns of navigations in progress, by URL. */
  readonly #turns: Map<string, Turn[]> = new Map();
  /** Turns that were taken before their navigation. */
  readonly #early: Map<string, Turn> = new Map();
  /** Requests that wait. The browser can give one up meanwhile, which no other event reports: its frame was removed, or its page was closed. */
  readonly #waits: Map<object, AbortController> = new Map();
  #isClosed = false;
  /** The URL that the caller opened last. */
  #opened: string = OUTSIDE;
  /** The error of the last refused navigation of the page itself. */
  #refusal: { readonly error: unknown } | undefined;

  constructor(client: Decider, options: PageOptions) {
    this.#client = client;
    this.#options = options;
  }

  /**
   * Waits until a request may be sent.
   *
   * @returns whether it may. If not, the error was reported.
   */
  async admit({ request, url, isNavigation, isMainFrame, redirectedFrom }: PageRequest): Promise<boolean> {
    // Others have no robots.txt, and open no connection: about:blank, data:, blob:.
    if (!/^https?:/.test(url) || (!isNavigation && !this.#options.subresources)) return true;
    const early = isNavigation ? this.#takeEarly(url) : undefined;
    // The response that redirects may be reported after this request.
    if (redirectedFrom !== undefined) this.#takeTurn(redirectedFrom)?.end();
    const wait = new AbortController();
    const { signal } = wait;
    this.#waits.set(request, wait);
    if (this.#isClosed || (request.failure?.() ?? null) !== null) wait.abort();
    try {
      // The page chose the URL, or it is the target of a redirect: it must not be on a private address that the caller did not open.
      const options = { redirectedFrom: redirectedFrom ?? this.#opened, signal };
      if (isNavigation) {
        const turn = early ?? (await takeTurn(this.#client, url, options));
        if (signal.aborted) turn.cancel();
        else this.#add(url, turn);
      } else requireAllowed(url, await this.#client.decide(url, options));
      return !signal.aborted;
    } catch (error) {
      if (signal.aborted) return false;
      if (isNavigation && isMainFrame) this.#refusal = { error };
      callListener('onRefused of a guarded page', () => this.#options.onRefused?.(error, url));
      return false;
    } finally {
      this.#waits.delete(request);
    }
  }

  /**
   * Navigates in the turn of a URL. The time that it waits is not part of the navigation.
   *
   * @throws the refusal, also if it was of the target of a redirect, instead of the error of the browser.
   */
  async navigate<T>(url: string, navigate: () => Promise<T>): Promise<T> {
    const key = removeFragment(new URL(url).href);
    if (/^https?:/.test(key)) {
      const turn = await takeTurn(this.#client, key);
      // That of another call with the same URL.
      this.#takeEarly(key)?.cancel();
      this.#early.set(key, turn);
      this.#opened = key;
    }
    this.#refusal = undefined;
    try {
      return await navigate();
    } catch (error) {
      throw (this.#refusal as { readonly error: unknown } | undefined)?.error ?? error;
    } finally {
      // The browser did not send the request.
      this.#takeEarly(key)?.cancel();
    }
  }

  /** Ends the turn of a navigation with its response. */
  endWith(response: PageResponse): void {
    this.#takeTurn(response.url())?.end(response);
  }

  /** Ends the turn of a navigation without a response, or its wait for it. */
  fail(request: FailedRequest): void {
    const wait = this.#waits.get(request);
    if (wait !== undefined) {
      wait.abort();
      return;
    }
    const text = request.failure()?.errorText ?? '';
    const turn = this.#takeTurn(request.url());
    // A page or a caller has aborted it.
    if (/ABORTED|BLOCKED_BY_CLIENT/i.test(text)) turn?.cancel();
    else turn?.fail(new Error(text));
  }

  /** Ends the turn of a navigation that failed before the browser sent it. */
  failWith(url: string, error: unknown): void {
    this.#takeTurn(url)?.fail(error);
  }

  /** Ends the turn of a navigation that the browser gave up before it was sent. */
  cancel(url: string): void {
    this.#takeTurn(url)?.cancel();
  }

  /** Ends all turns and waits, because the page was closed. */
  close(): void {
    this.#isClosed = true;
    for (const wait of this.#waits.values()) wait.abort();
    for (const turn of [...this.#turns.values()].flat()) turn.cancel();
    for (const turn of this.#early.values()) turn.cancel();
    this.#turns.clear();
    this.#early.clear();
  }

  #takeEarly(url: string): Turn | undefined {
    const key = removeFragment(url);
    const turn = this.#early.get(key);
    this.#early.delete(key);
    return turn;
  }

  #add(url: string, turn: Turn): void {
    const key = removeFragment(url);
    this.#turns.set(key, [...(this.#turns.get(key) ?? []), turn]);
  }

  #takeTurn(url: string): Turn | undefined {
    const key = removeFragment(url);
    const [first, ...others] = this.#turns.get(key) ?? [];
    if (others.length > 0) this.#turns.set(key, others);
    else this.#turns.delete(key);
    return first;
  }
}
