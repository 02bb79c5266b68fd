// The list of further URLs from which a run starts. It is read only as far as the limit of pages needs it: it may be an index of sitemaps
// that takes hours.
import { unlessAborted } from '@maycrawl/client/internal';
import type { Classify } from '../run/records/url.ts';
import type { CrawlOptions } from './crawl-options.ts';
import { resolveUrls } from './scope.ts';

/** The fact about a run that its list was read to its end. */
const LISTED = 'listed';

export class StartList {
  readonly #options: Pick<CrawlOptions, 'run' | 'settings' | 'signal'>;
  readonly #classify: Classify;
  /** `undefined` after its end. */
  #pieces: AsyncIterator<readonly string[]> | undefined;

  /** Opens the list, unless the run has all of it. */
  constructor(
    { list, ...options }: Pick<CrawlOptions, 'run' | 'settings' | 'signal' | 'list'>,
    classify: Classify,
  ) {
    this.#options = options;
    this.#classify = classify;
    if (options.run.get(LISTED) !== true) this.#pieces = list?.[Symbol.asyncIterator]();
  }

  /** Whether the run has all URLs of the list. */
  get isRead(): boolean {
    return this.#pieces === undefined;
  }

  /** Adds URLs to the run until there are more than it may fetch, the list ends, or the signal aborts. */
  async readMore(): Promise<void> {
    const { run, settings, signal } = this.#options;
    const most = settings.maxPages ?? Number.POSITIVE_INFINITY;
    try {
      while (this.#pieces !== undefined) {
        const { value, done } = await unlessAborted(this.#pieces.next(), signal);
        if (done) {
          this.#pieces = undefined;
          run.set(LISTED, true);
          return;
        }
        run.addStarts(resolveUrls(value), this.#classify);
        const { waiting, fetched } = run.counts();
        if (waiting + fetched > most) return;
      }
    } catch (error) {
      if (!signal.aborted) throw error;
    }
  }

  /** Ends the reading. */
  async close(): Promise<void> {
    const closed = this.#pieces?.return?.();
    // A generator closes when its pending value has arrived, which the signal does not hasten in each list.
    if (this.#options.signal.aborted) closed?.catch(() => {});
    else await closed;
  }
}
