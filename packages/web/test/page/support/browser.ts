// Starts Chromium and opens pages in it that record errors and forbidden requests.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core';

const EXECUTABLE = [
  process.env['CHROMIUM'],
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
].find((path) => path !== undefined && existsSync(path));

/** Whether Chromium is missing, so that the tests of pages are skipped. */
export const isChromiumMissing: boolean = EXECUTABLE === undefined;
/** The reason for skipped tests, for their titles. */
export const NEEDS = isChromiumMissing
  ? ' (skipped: there is no Chromium, see apt-get install chromium)'
  : '';

/** How long a test waits for an element, in milliseconds. On a busy machine, judging a large file takes tens of seconds. */
const TIMEOUT = 90_000;

/** The events of a page that tests listen to. */
const EVENTS = ['console', 'pageerror', 'dialog', 'request'];
const WINDOW = { width: 1280, height: 800 };

/** A context, and a page of it that no test uses. */
interface IdlePage {
  readonly context: BrowserContext;
  readonly options: BrowserContextOptions;
  page: Page | undefined;
}

/**
 * A browser whose pages have the same context if they have the same options, and are used again: a page in a new context takes a second of
 * processor time more, and a page in a new process two.
 */
export class TestBrowser {
  readonly #browser: Browser;
  readonly #contexts: Map<string, IdlePage> = new Map();

  private constructor(browser: Browser) {
    this.#browser = browser;
  }

  static async launch(): Promise<TestBrowser> {
    return new TestBrowser(await launch());
  }

  async newPage(options: BrowserContextOptions): Promise<Page> {
    const key = JSON.stringify(options);
    let idle = this.#contexts.get(key);
    if (idle === undefined) {
      const context = await this.#browser.newContext({ viewport: WINDOW, ...options });
      context.setDefaultTimeout(TIMEOUT);
      await context.addInitScript(() => {
        addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
          // biome-ignore lint/suspicious/noConsole: the test listens to it.
          console.error(`policy: ${violatedDirective} ${blockedURI}`);
        });
      });
      idle = { context, options, page: undefined };
      this.#contexts.set(key, idle);
    }
    const { page } = idle;
    idle.page = undefined;
    return page ?? idle.context.newPage();
  }

  /** Empties one page of each context for the next test, and closes the others. Cookies and storage are deleted. */
  async closePages(): Promise<void> {
    for (const idle of this.#contexts.values()) {
      const [first, ...others] = idle.context.pages();
      for (const page of others) await page.close();
      if (first !== undefined && first !== idle.page) {
        await empty(first, idle.options);
        idle.page = first;
      }
      await idle.context.clearCookies();
    }
  }

  close(): Promise<void> {
    return this.#browser.close();
  }
}

/** Makes a page as a new one, except for its history. */
async function empty(
  page: Page,
  { viewport = WINDOW, colorScheme = 'light' }: BrowserContextOptions,
): Promise<void> {
  for (const event of EVENTS) page.removeAllListeners(event);
  await page.unrouteAll();
  // A document of another kind than a page of a site has no storage.
  await page
    .evaluate(() => {
      localStorage.clear();
      sessionStorage.clear();
    })
    .catch(() => {});
  await page.goto('about:blank');
  await page.emulateMedia({ media: null, colorScheme });
  if (viewport !== null) await page.setViewportSize(viewport);
}

/** Starts the browser alone. @public - the scripts that take pictures use it. */
export function launch(): Promise<Browser> {
  if (EXECUTABLE === undefined) throw new Error('there is no Chromium');
  const args = ['--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  return chromium.launch({
    executablePath: EXECUTABLE,
    args: [...args, '--disable-component-update', '--disable-sync'],
  });
}

/** A page with its recorded problems: errors, policy violations, requests to other origins. */
export interface Watched {
  readonly page: Page;
  readonly wrongs: string[];
}

/** What distinguishes pages that a server sends from reports that are opened from disk. */
interface OpenOptions {
  readonly context: BrowserContextOptions;
  /** The element to wait for. */
  readonly shown: string;
  /** Whether a message of the console is a problem. */
  readonly isProblem: (type: string) => boolean;
  /** Whether the page may send a request. */
  readonly isExpected: (request: URL) => boolean;
}

async function openWatched(
  browser: TestBrowser,
  url: string,
  { context, shown, isProblem, isExpected }: OpenOptions,
): Promise<Watched> {
  const page = await browser.newPage(context);
  const wrongs: string[] = [];
  page.on('console', (message) => {
    if (isProblem(message.type())) wrongs.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrongs.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    if (!isExpected(new URL(request.url()))) wrongs.push(`request: ${request.url()}`);
  });
  await page.goto(url);
  await page.locator(shown).first().waitFor();
  return { page, wrongs };
}

/** Opens the tester and waits for an element. @param shown - the element to wait for. */
export function open(
  browser: TestBrowser,
  url: string,
  context: BrowserContextOptions = {},
  shown = '.explanation',
): Promise<Watched> {
  const { origin } = new URL(url);
  return openWatched(browser, url, {
    ...{ context, shown },
    isProblem: (type) => type === 'error' || type === 'warning',
    isExpected: (request) => request.protocol === 'blob:' || request.origin === origin,
  });
}

/** Opens a report from disk. Every message of its console and every request that it sends is a problem. */
export function openReport(
  browser: TestBrowser,
  path: string,
  context: BrowserContextOptions = {},
): Promise<Watched> {
  const url = pathToFileURL(path).href;
  return openWatched(browser, url, {
    // The report of an audit, and those of one page.
    ...{ context, shown: '.report, .sections' },
    isProblem: () => true,
    isExpected: ({ href, protocol }) => href.split('#')[0] === url || ['data:', 'blob:'].includes(protocol),
  });
}
