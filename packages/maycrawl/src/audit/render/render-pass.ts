// Renders pages of a run after they were fetched, and stores what their scripts change. Links that only scripts add are new URLs of the run.
import { createPageFacts, type PageFacts } from '@maycrawl/core/indexability';
import { readHtml } from '../../html/html-reader.ts';
import { PAGE_LIMITS, readPage } from '../../html/read-page.ts';
import type { CrawlExtension, CrawlParts } from '../crawl/crawl-options.ts';
import type { RenderablePage, RenderOutcome } from '../run/records/rendering.ts';
import { Chromium } from './chromium.ts';
import { type ComparedPage, comparePage } from './compare-page.ts';
import type { RenderedDocument } from './read-document.ts';
import { PageRenderError } from './render-error.ts';
import { RENDER_DEFAULTS, type RenderOptions } from './render-options.ts';
import { renderPage } from './render-page.ts';
import { RefusedError, ResourceLoader } from './resource-loader.ts';
import { selectPages } from './select-pages.ts';

/** Pages that are rendered at the same time, each in a Chromium of its own, so that one cannot stop the other. */
const BROWSERS = 2;
/** Pages that one Chromium renders: its memory grows. */
const MAX_PAGES = 100;

/** Receives the number of pages that the run has rendered, and their number at the end of the pass. */
export type OnRendered = (count: number, total: number) => void;

/** Creates the extension of a crawl that renders its pages. */
export function createRenderPass(
  options: RenderOptions,
  onRendered: OnRendered = () => {},
): (parts: CrawlParts) => CrawlExtension {
  return (parts) => new Renderer(parts, options, onRendered);
}

/** Renders the pages of one run, in several passes: rendered pages lead to others. */
class Renderer implements CrawlExtension {
  readonly #parts: CrawlParts;
  readonly #options: RenderOptions;
  readonly #onRendered: OnRendered;
  readonly #loader: ResourceLoader;
  /** Pages whose host does not respond. They stay for a resumed run. */
  readonly #skipped: Set<number> = new Set();
  readonly #idle: { readonly chromium: Chromium; readonly pages: number }[] = [];
  readonly #running: Set<Chromium> = new Set();

  constructor(parts: CrawlParts, options: RenderOptions, onRendered: OnRendered) {
    this.#parts = parts;
    this.#options = options;
    this.#onRendered = onRendered;
    this.#loader = new ResourceLoader(parts);
  }

  /**
   * Renders the pages that were fetched and not rendered, up to the limit of the run.
   *
   * @returns the number of pages.
   * @throws {RenderError} if Chromium cannot be started.
   */
  async findMore(): Promise<number> {
    const { run, signal } = this.#parts;
    const { limit = RENDER_DEFAULTS.limit } = this.#options;
    const known = run.renderings.count();
    const left = limit === 0 ? Number.POSITIVE_INFINITY : limit - known;
    if (left <= 0 || signal.aborted) return 0;
    const pages = selectPages(run, left, this.#skipped);
    const queue = pages.values();
    let done = 0;
    let broken: { readonly error: unknown } | undefined;
    const work = async (): Promise<void> => {
      for (const page of queue) {
        if (signal.aborted || broken !== undefined) return;
        await this.#render(page);
        done++;
        this.#onRendered(known + done, known + pages.length);
      }
    };
    // Each of them ends before the run is closed.
    const workers = Array.from({ length: BROWSERS }, () =>
      work().catch((error: unknown) => {
        broken ??= { error };
      }),
    );
    await Promise.all(workers);
    if (broken !== undefined) throw broken.error;
    return done;
  }

  /** Ends Chromium. */
  async close(): Promise<void> {
    await Promise.all([...this.#running].map((chromium) => chromium.close()));
  }

  async #render(page: RenderablePage): Promise<void> {
    const { run, classify, now, signal } = this.#parts;
    const at = now();
    const start = performance.now();
    let compared: ComparedPage;
    try {
      compared = await this.#compare(page.url);
    } catch (error) {
      // It is rendered when the run is resumed.
      if (signal.aborted) return;
      if (error instanceof RefusedError && error.reason === 'host-failing') {
        this.#skipped.add(page.key);
        return;
      }
      compared = { outcome: toFailure(error), named: [] };
    }
    const milliseconds = Math.round(performance.now() - start);
    const { outcome, named } = compared;
    const { key, depth } = page;
    run.recordRendering({ key, at, milliseconds, outcome }, { depth, named, classify });
  }

  /** Requests a page, and compares it before and after its scripts. */
  async #compare(url: string): Promise<ComparedPage> {
    const { userAgent, signal } = this.#parts;
    const response = await this.#loader.loadPage(url, PAGE_LIMITS.bytes);
    const { status, headers, body } = response;
    const before = readPage({ url, status, headers }, body);
    if (status !== 200) throw new PageRenderError('changed', `its status is ${status} now`);
    const { timeout = RENDER_DEFAULTS.timeout } = this.#options;
    const rendered = await this.#withChromium((chromium) =>
      renderPage({ url, response, chromium, loader: this.#loader, userAgent, timeout, signal }),
    );
    return comparePage(before, readRendered(before, headers, rendered.document), rendered);
  }

  /** Works with a Chromium of which no other caller has a page. */
  async #withChromium<T>(work: (chromium: Chromium) => Promise<T>): Promise<T> {
    const { chromium, pages } = this.#idle.pop() ?? { chromium: await this.#start(), pages: 0 };
    try {
      const result = await work(chromium);
      if (chromium.isRunning && pages + 1 < MAX_PAGES) this.#idle.push({ chromium, pages: pages + 1 });
      else await this.#end(chromium);
      return result;
    } catch (error) {
      await this.#end(chromium);
      throw error;
    }
  }

  async #start(): Promise<Chromium> {
    const { chromium: executable, withoutSandbox = false } = this.#options;
    const chromium = await Chromium.start({
      ...(executable !== undefined && { executable }),
      withoutSandbox,
    });
    this.#running.add(chromium);
    return chromium;
  }

  async #end(chromium: Chromium): Promise<void> {
    await chromium.close();
    this.#running.delete(chromium);
  }
}

/** The facts about a page after its scripts. Its headers are the same. */
function readRendered(
  { url, status }: PageFacts,
  headers: LoadedHeaders,
  { html, base }: RenderedDocument,
): PageFacts {
  const facts = readHtml(html.slice(0, PAGE_LIMITS.bytes), PAGE_LIMITS.items);
  const isTruncated = facts.isTruncated || html.length > PAGE_LIMITS.bytes;
  return createPageFacts({ url, status, headers }, { ...facts, base, isTruncated });
}

type LoadedHeaders = readonly (readonly [name: string, value: string])[];

/** @throws what is no failure of the page. */
function toFailure(error: unknown): RenderOutcome {
  if (error instanceof PageRenderError) return { kind: 'failure', code: error.code, detail: error.message };
  if (!(error instanceof RefusedError)) throw error;
  const { reason } = error;
  const isDisallowed = reason === 'robots' || reason === 'own-robots';
  const detail = isDisallowed
    ? 'robots.txt disallows it to the crawler as which pages are rendered'
    : `it could not be requested again: ${reason}`;
  return { kind: 'failure', code: reason, detail };
}
