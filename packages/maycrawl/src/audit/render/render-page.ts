// Renders one page in Chromium: opens it, lets its scripts run for some virtual time (virtual-time.ts), and reads its document. So a page
// takes as long as its scripts and requests do, and what it does after seconds is seen.
import { truncate } from '@maycrawl/core/internal';
import type { BrowserContext, CDPSession } from 'playwright-core';
import type { Chromium } from './chromium.ts';
import { PageClock } from './page-clock.ts';
import { PageNetwork } from './page-network.ts';
import { type RenderedDocument, readDocument } from './read-document.ts';
import { PageRenderError, withLimit } from './render-error.ts';
import type { LoadedFile, ResourceLoader } from './resource-loader.ts';
import { runTime, stopTime } from './virtual-time.ts';

/** The time to read the document, as a share of the time of the page. */
const READ_SHARE = 0.5;
/** Milliseconds to close a page, and between two looks at the memory. */
const [CLOSE_TIME, MEMORY_PAUSE] = [5_000, 250] as const;
/** Bytes that all processes of Chromium may take. */
const MAX_MEMORY = 1_500_000_000;
/** A narrow and very high window, as that of Googlebot, in which everything is visible that is loaded when it becomes visible. */
const VIEWPORT = { width: 412, height: 10_000 } as const;

export interface PageRendering {
  readonly url: string;
  readonly response: LoadedFile;
  readonly chromium: Chromium;
  readonly loader: ResourceLoader;
  readonly userAgent: string;
  /** Milliseconds for the page. */
  readonly timeout: number;
  readonly signal: AbortSignal;
}

/** A page after its scripts. */
export interface RenderedPage {
  readonly document: RenderedDocument;
  readonly network: Pick<PageNetwork, 'redirect' | 'refused' | 'requests'>;
  /** Whether its scripts or requests were not over when its time was. */
  readonly isStopped: boolean;
}

/**
 * Renders a page. If it fails or cannot be closed, Chromium is killed.
 *
 * @throws {PageRenderError} if the page cannot be rendered.
 * @throws the signal's reason.
 */
export async function renderPage(rendering: PageRendering): Promise<RenderedPage> {
  const { chromium, userAgent } = rendering;
  let isFailed = true;
  try {
    const context = await chromium.newContext({
      userAgent,
      viewport: VIEWPORT,
      serviceWorkers: 'block',
      acceptDownloads: false,
    });
    const page = await renderInContext(context, rendering);
    isFailed = !(await isClosed(context));
    return page;
  } finally {
    if (isFailed) chromium.kill();
  }
}

async function renderInContext(context: BrowserContext, rendering: PageRendering): Promise<RenderedPage> {
  const { url, response, chromium, loader, timeout, signal } = rendering;
  const end = new End();
  let broken: { readonly error: unknown } | undefined;
  const clock = new PageClock(timeout, () => end.settle('late'));
  const network = new PageNetwork({
    url,
    response,
    loader,
    observer: { onQueue: () => clock.pause(), onSend: () => clock.resume() },
    onError: (error) => {
      broken ??= { error };
      end.fail(error);
    },
    onFlood: () => end.fail(new PageRenderError('requests', 'it sends more than 2,000 requests')),
  });
  const onAbort = (): void => end.fail(signal.reason);
  signal.addEventListener('abort', onAbort, { once: true });
  const memory = setInterval(() => {
    chromium.readMemory().then(
      (bytes) => {
        if (bytes > MAX_MEMORY)
          end.fail(new PageRenderError('memory', `more than ${MAX_MEMORY / 1e6} MB of memory`));
      },
      // Chromium is closed: the page fails by itself.
      () => {},
    );
  }, MEMORY_PAUSE);
  try {
    signal.throwIfAborted();
    clock.start();
    const opened = openPage(context, url, network, end);
    // The page ended: failures after it do not matter.
    opened.catch((error: unknown) => end.fail(error));
    const how = await end.promise;
    clock.stop();
    const read = opened.then(readDocument);
    const document = await withLimit(
      Promise.race([read, end.failure]),
      timeout * READ_SHARE,
      'its scripts do not end',
    );
    return { document, network, isStopped: how === 'late' };
  } catch (error) {
    // The page is not the cause.
    if (broken !== undefined) throw broken.error;
    throw error instanceof PageRenderError || signal.aborted ? error : toPageError(error);
  } finally {
    clock.stop();
    clearInterval(memory);
    signal.removeEventListener('abort', onAbort);
  }
}

/** Opens the page and starts its virtual time, whose end is that of the rendering. */
async function openPage(
  context: BrowserContext,
  url: string,
  network: PageNetwork,
  end: End,
): Promise<CDPSession> {
  await context.route('**/*', (route) => network.handle(route));
  const page = await context.newPage();
  network.setPage(page);
  page.on('dialog', (dialog) => void dialog.dismiss().catch(() => {}));
  page.on('popup', (popup) => void popup.close().catch(() => {}));
  page.on('crash', () => end.fail(new PageRenderError('crashed', 'Chromium ended its process')));
  page.on('close', () => end.fail(new PageRenderError('crashed', 'the page was closed')));
  const session = await context.newCDPSession(page);
  await session.send('Page.enable');
  await stopTime(session);
  let isStarted = false;
  session.on('Page.frameNavigated', ({ frame }) => {
    if (frame.parentId !== undefined) return;
    const isOwn = /^https?:/.test(frame.url);
    if (isStarted && !isOwn) {
      const what = frame.url === 'about:blank' ? frame.url : `a URL with ${new URL(frame.url).protocol}`;
      end.fail(new PageRenderError('left', `its scripts replace it with ${what}`));
    }
    if (isStarted || !isOwn) return;
    isStarted = true;
    runTime(session).then(
      () => end.settle('complete'),
      (error: unknown) => end.fail(error),
    );
  });
  const { errorText } = await session.send('Page.navigate', { url });
  if (errorText !== undefined)
    throw new PageRenderError('crashed', `Chromium does not open it: ${errorText}`);
  return session;
}

/** How a page ends: by itself, because its time is over, or with an error. */
class End {
  readonly promise: Promise<'complete' | 'late'>;
  /** Rejects when the page fails, also after its end. */
  readonly failure: Promise<never>;
  #settle: (how: 'complete' | 'late') => void = () => {};
  #fail: (error: unknown) => void = () => {};

  constructor() {
    this.failure = new Promise<never>((_, reject) => {
      this.#fail = reject;
    });
    const end = new Promise<'complete' | 'late'>((resolve) => {
      this.#settle = resolve;
    });
    this.promise = Promise.race([end, this.failure]);
    this.promise.catch(() => {});
    this.failure.catch(() => {});
  }

  settle(how: 'complete' | 'late'): void {
    this.#settle(how);
  }

  fail(error: unknown): void {
    this.#fail(error);
  }
}

/** Closes a context. Returns `false` if that takes too long. */
async function isClosed(context: BrowserContext): Promise<boolean> {
  try {
    await withLimit(context.close(), CLOSE_TIME, 'the page cannot be closed');
    return true;
  } catch {
    return false;
  }
}

/** Errors of Playwright: the page or Chromium is gone. */
function toPageError(cause: unknown): PageRenderError {
  const [line = ''] = (cause instanceof Error ? cause.message : String(cause)).split('\n');
  return new PageRenderError('crashed', truncate(line, 200), { cause });
}
