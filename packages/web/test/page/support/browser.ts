// Starts Chromium and opens pages in it that record errors and forbidden requests.
import { existsSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

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

/** Starts the browser. */
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

/** How long a test waits for an element, in milliseconds. On a busy machine, judging a large file takes tens of seconds. */
const TIMEOUT = 90_000;

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
  browser: Browser,
  url: string,
  { context: options, shown, isProblem, isExpected }: OpenOptions,
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(TIMEOUT);
  const page = await context.newPage();
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
  await page.addInitScript(() => {
    addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) => {
      // biome-ignore lint/suspicious/noConsole: the test listens to it.
      console.error(`policy: ${violatedDirective} ${blockedURI}`);
    });
  });
  await page.goto(url);
  await page.locator(shown).first().waitFor();
  return { page, wrongs };
}

/** Opens the tester and waits for an element. @param shown - the element to wait for. */
export function open(
  browser: Browser,
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
  browser: Browser,
  path: string,
  context: BrowserContextOptions = {},
): Promise<Watched> {
  const url = pathToFileURL(path).href;
  return openWatched(browser, url, {
    // The report of an audit, and that of a census.
    ...{ context, shown: '.report, .sections' },
    isProblem: () => true,
    isExpected: ({ href, protocol }) => href.split('#')[0] === url || ['data:', 'blob:'].includes(protocol),
  });
}
