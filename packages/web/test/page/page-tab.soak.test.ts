import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// The published packages, because the service starts threads from built files.
import { MemoryStore } from '../../../maycrawl/dist/index.js';
import { createService } from '../../../maycrawl/dist/serve/service.js';
import { expectNoViolations } from './support/axe.ts';
import { isChromiumMissing, NEEDS, open } from './support/browser.ts';
import { findBuiltPage } from './support/built-page.ts';
import { prepareBrowser } from './support/opened-pages.ts';
import { servePage } from './support/page-server.ts';

const ROBOTS = `User-agent: *
Disallow: /assets/
Disallow: /private

User-agent: GPTBot
Disallow: /
`;

/** One long word, as file names of builds are. */
const WORD = 'x'.repeat(150);
const HTML = `<meta charset=utf-8><title><img src=x onerror=alert(1)></title><link rel=canonical href=/new>
<meta name=bingbot content=noindex><link rel=alternate hreflang=de href=/de><script src=/assets/${WORD}.js></script>
<link rel=stylesheet href=/site.css>`;

describe.skipIf(isChromiumMissing)(`the tab for a page${NEEDS}`, () => {
  const { show } = prepareBrowser();
  let site: Server;
  let origin: string;
  let service: Awaited<ReturnType<typeof createService>>;
  let address: string;

  beforeAll(async () => {
    site = createServer(({ url }, response) => {
      if (url === '/robots.txt') response.end(ROBOTS);
      else if (url === '/old') response.writeHead(301, { location: '/new' }).end();
      else response.setHeader('content-type', 'text/html').end(HTML);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`;
    service = await createService({
      ...{
        store: new MemoryStore(),
        userAgent: 'test',
        allowPrivateAddresses: true,
        pageFolder: findBuiltPage('web'),
      },
      limits: { hostSpacing: 0 },
    });
    address = await service.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await service?.close();
    await new Promise((resolve) => site.close(resolve).closeAllConnections());
  });

  async function check(page: Page, url: string): Promise<void> {
    await page.getByRole('tab', { name: 'Page' }).click();
    await page.getByLabel('URL of a page').fill(url);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'All crawlers' }).waitFor();
  }

  const sentence = (page: Page): Promise<string | null> => page.locator('.answer .sentence').textContent();
  const section = async (page: Page, name: string): Promise<string> =>
    (await page.getByRole('region', { name }).textContent()) ?? '';

  test('shows the answer, redirects, what the page says, its resources, and all crawlers', async () => {
    const page = await show((browser) => open(browser, address));
    await check(page, `${origin}/old`);
    expect(await sentence(page)).toBe(
      `This URL redirects to ${origin}/new. Googlebot may fetch and index that page. But because of robots.txt, Googlebot may not load 1 of its 2 scripts and style sheets: if it renders the page, then without them.`,
    );
    // What a screen reader announces.
    expect(await page.locator('.panel.page [role=status]').textContent()).toBe(await sentence(page));
    const hops = await section(page, 'Redirects and response');
    expect(hops).toContain(`Status 301, redirects to ${origin}/new.`);
    expect(hops).toMatch(/Status 200, text\/html, \d+ bytes/);
    const facts = await section(page, 'What the page says');
    expect(facts).toContain('<img src=x onerror=alert(1)>');
    expect(facts).toContain('Canonicalthe page itself');
    expect(facts).toContain(
      'a meta tag for bingbot says "noindex" (noindex for 1 other crawler, not for Googlebot)',
    );
    expect(facts).toContain(`de: ${origin}/de`);
    const resources = await section(page, 'Resources');
    expect(resources).toContain('1 of its 2 scripts, style sheets and images is blocked for Googlebot.');
    expect(resources).toContain('blocked, line 2: Disallow: /assets/');
    const rows = page.getByRole('row');
    expect(await rows.filter({ hasText: 'GPTBot' }).textContent()).toBe('GPTBotdisallowed line 6blocked ');
    expect(await rows.filter({ hasText: 'bingbot' }).textContent()).toContain('noindex');

    // Another crawler, without a further request.
    await page.getByRole('button', { name: 'bingbot' }).click();
    expect(await sentence(page)).toContain(
      'bingbot may fetch that page, but may not index it: a meta tag for bingbot says',
    );
    expect(await page.getByRole('combobox', { name: 'Crawler' }).inputValue()).toBe('bingbot');
    // The result stays when another tab was shown.
    await page.getByRole('tab', { name: 'Verdicts' }).click();
    await page.getByRole('tab', { name: 'Page' }).click();
    expect(await sentence(page)).toContain('bingbot');
  });

  test('begins with the URL of the selected row, and names what is wrong with another text', async () => {
    const page = await show((browser) => open(browser, address));
    await page.getByLabel('Site', { exact: true }).fill(`${origin}/private`);
    await page.keyboard.press('Enter');
    await page.getByText(`${origin}: successful`).waitFor();
    await page.getByRole('tab', { name: 'Page' }).click();
    expect(await page.getByLabel('URL of a page').inputValue()).toBe(`${origin}/private`);
    await page.getByRole('button', { name: 'Check page' }).click();
    await page
      .getByText('Not requested: no crawler that obeys the groups for all crawlers may fetch it.')
      .waitFor();
    expect(await sentence(page)).toContain('Googlebot may not fetch this page: line 3 of');
    await page.getByLabel('URL of a page').fill('mailto:a@b.example');
    await page.keyboard.press('Enter');
    await page.getByText('This is not a page').waitFor();
    expect(await page.locator('.answer').count()).toBe(0);
  });

  test('without the service it names what is missing', async () => {
    const server = await servePage(findBuiltPage('web'));
    const page = await show((browser) => open(browser, server.url));
    await page.getByRole('tab', { name: 'Page' }).click();
    await page.getByText('This tab needs the service').waitFor();
    expect(await page.getByLabel('URL of a page').count()).toBe(0);
    await server.close();
  });

  test('axe finds no violation', async () => {
    const page = await show((browser) => open(browser, address));
    await check(page, `${origin}/old`);
    await page.locator('details summary', { hasText: 'not blocked' }).first().click();
    await expectNoViolations(page);
  });

  test('nothing is cut on a phone of 360 pixels', async () => {
    const phone = {
      viewport: { width: 360, height: 740 },
      hasTouch: true,
      isMobile: true,
      deviceScaleFactor: 2,
    };
    const page = await show((browser) => open(browser, address, phone));
    await check(page, `${origin}/old`);
    const cut = await page.evaluate(() => {
      const wide = Array.from(document.querySelectorAll('.panel *, .tabs *')).filter(
        (each) => each.getBoundingClientRect().right > document.documentElement.clientWidth + 0.5,
      );
      return [
        document.documentElement.scrollWidth,
        ...wide.map(({ className, tagName }) => `${tagName} ${className}`),
      ];
    });
    expect(cut).toEqual([360]);
  });

  test('the result is printed without the file in the editor', async () => {
    const page = await show((browser) => open(browser, address));
    await check(page, `${origin}/old`);
    await page.emulateMedia({ media: 'print' });
    expect(await page.locator('.editor').isVisible()).toBe(false);
    expect(await page.getByRole('button', { name: 'Check page' }).isVisible()).toBe(false);
    expect(await page.getByRole('heading', { name: 'All crawlers' }).isVisible()).toBe(true);
  });
});
