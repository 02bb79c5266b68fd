/**
 * Starts Chromium and opens pages in it that record errors and forbidden requests.
 *
 * @module
 */
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

const EXECUTABLE = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find((path) =>
  existsSync(path),
);

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

/** Opens the tester and waits for an element. @param shown - the element to wait for. */
export async function open(
  browser: Browser,
  url: string,
  options: BrowserContextOptions = {},
  shown = '.explanation',
): Promise<Watched> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
  context.setDefaultTimeout(10_000);
  const page = await context.newPage();
  const wrongs: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      wrongs.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => wrongs.push(`thrown: ${error.message}`));
  page.on('dialog', (dialog) => {
    wrongs.push(`dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('request', (request) => {
    const { protocol, origin } = new URL(request.url());
    if (protocol !== 'blob:' && origin !== new URL(url).origin) wrongs.push(`request: ${request.url()}`);
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
