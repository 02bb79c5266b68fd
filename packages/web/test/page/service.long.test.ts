import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
// The published packages, because the service starts threads from built files.
import { MemoryStore } from '../../../maycrawl/dist/index.js';
import { createService } from '../../../maycrawl/dist/serve/service.js';
import type { ServiceOptions } from '../../../maycrawl/dist/serve/service-options.js';
import { isChromiumMissing, NEEDS, open } from './support/browser.ts';
import { findBuiltPage } from './support/built-page.ts';
import { cell, paste } from './support/hands.ts';
import { prepareBrowser } from './support/opened-pages.ts';

const FILE = 'User-agent: *\nDisallow: /cart/\n# <img src=x onerror=alert(1)>\n';

describe.skipIf(isChromiumMissing)(`the page of maycrawl serve${NEEDS}`, () => {
  const { show, expectProblems } = prepareBrowser();
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });

  /** Starts a site on loopback. */
  async function startSite(listener: RequestListener): Promise<{ origin: string; server: Server }> {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    ends.push(() => new Promise((resolve) => server.close(resolve).closeAllConnections()));
    return { origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
  }
  async function startService(options: Partial<ServiceOptions> = {}): Promise<string> {
    const app = await createService({
      store: new MemoryStore(),
      userAgent: 'test',
      allowPrivateAddresses: true,
      pageFolder: findBuiltPage('web'),
      ...options,
    });
    ends.push(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  }

  const openService = async (options?: Partial<ServiceOptions>): Promise<Page> => {
    const address = await startService(options);
    return show((browser) => open(browser, address));
  };

  test('loads from a site: shows the redirects, headers, the file and its effect', async () => {
    const { origin } = await startSite(({ url }, response) => {
      if (url === '/robots.txt') response.writeHead(302, { location: '/<b>moved' }).end();
      else response.writeHead(200, { 'cache-control': 'max-age=7200' }).end(FILE);
    });
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(`${origin}/cart/1#top`);
    await tab.getByRole('button', { name: 'Load from site' }).click();
    await tab.getByText(`${origin}: successful`).waitFor();
    const report = (await tab.locator('body').textContent()) ?? '';
    expect(report).toContain('302');
    expect(report).toMatch(/moved/);
    expect(report).toContain('max-age=7200');
    expect(await tab.locator('.cm-content').textContent()).toContain('<img src=x onerror=alert(1)>');
    // The URL that was typed, the home page and an example of the rule; nothing of the sample.
    expect(await tab.locator('.matrix [role=rowheader]').allTextContents()).toEqual(
      ['/cart/1', '/', '/cart/'].map((path) => expect.stringContaining(path)),
    );
    await expect.poll(() => cell(tab, 0, 0).textContent()).toContain('disallowed');
    await expect.poll(() => cell(tab, 1, 0).textContent()).toContain('allowed');
  });

  test('the URLs of a loaded site have entries of its sitemaps', async () => {
    const { origin } = await startSite(({ url }, response) => {
      const paths = ['/blog/1', '/blog/2', '/shop/lamp'];
      if (url === '/robots.txt')
        response.end(`User-agent: *\nDisallow: /shop/\nSitemap: ${origin}/sitemap.txt\n`);
      else response.end(paths.map((path) => `${origin}${path}\n`).join(''));
    });
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(origin);
    await tab.keyboard.press('Enter');
    await tab.getByText('3 URLs of its sitemap are in the list.').waitFor();
    expect(await tab.locator('.matrix [role=rowheader]').allTextContents()).toEqual(
      ['/', '/blog/1', '/shop/lamp', '/blog/2', '/shop/'].map((path) => expect.stringContaining(path)),
    );
    await cell(tab, 2, 0).getByText('disallowed').waitFor();
  });

  test('a host without scheme is requested by https; the failure is in words, and http is offered', async () => {
    const { origin } = await startSite((_request, response) => response.end(FILE));
    const host = origin.slice('http://'.length);
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(`${host}/cart/1`);
    await tab.keyboard.press('Enter');
    await tab.getByText(`https://${host}: unreachable`).waitFor();
    await tab.getByText('The server does not speak TLS on this port').waitFor();
    await tab.getByRole('button', { name: `Try http://${host}/cart/1` }).click();
    await tab.getByText(`http://${host}: successful`).waitFor();
    await expect.poll(() => cell(tab, 0, 0).textContent()).toContain('disallowed');
    expect(await tab.getByRole('button', { name: /^Try http/ }).count()).toBe(0);
  });

  test('a site without a file has no rules: its URLs are allowed in the matrix', async () => {
    const { origin } = await startSite((_request, response) => response.writeHead(404).end());
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(`${origin}/cart/`);
    await tab.keyboard.press('Enter');
    await tab.getByText('so the editor is empty').waitFor();
    expect(await tab.locator('.matrix [role=rowheader]').first().textContent()).toContain('/cart/');
    await expect.poll(() => cell(tab, 0, 3).textContent()).toMatch(/^\W*allowed/);
  });

  test('after a paste, the comparison is with the live file', async () => {
    const { origin } = await startSite((_request, response) => response.end(FILE));
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(origin);
    await tab.keyboard.press('Enter');
    await tab.getByText(`${origin}: successful`).waitFor();
    await tab.locator('.cm-content').focus();
    await tab.keyboard.press('Control+a');
    await paste(tab.locator('.cm-content'), 'User-agent: *\nDisallow: /cart/\nDisallow: /new\n');
    await tab.getByRole('tab', { name: 'Compare' }).click();
    await tab.getByText(`Before: live, ${origin}`).waitFor();
    await tab.locator('tr', { hasText: '/new' }).first().waitFor();
    expect(await tab.locator('tr', { hasText: 'newly allowed' }).count()).toBe(0);
  });

  test('shows a site without a file, a site that fails, and a forbidden address', async () => {
    const absent = await startSite((_request, response) => response.writeHead(404).end());
    const failing = await startSite((_request, response) => response.writeHead(503).end());
    const tab = await openService();
    const load = async (site: string): Promise<void> => {
      await tab.getByLabel('Site', { exact: true }).fill(site);
      await tab.getByRole('button', { name: 'Load from site' }).click();
    };
    await load(absent.origin);
    await tab.getByText(`${absent.origin}: unavailable`).waitFor();
    await load(failing.origin);
    await tab.getByText(`${failing.origin}: unreachable`).waitFor();
    const guarded = await openService({ allowPrivateAddresses: false });
    await guarded.getByLabel('Site', { exact: true }).fill(absent.origin);
    await guarded.getByRole('button', { name: 'Load from site' }).click();
    await guarded.getByText(`${absent.origin}: unreachable`).waitFor();
    expect(await guarded.locator('body').textContent()).toContain('private-address');
  });

  test('on demand, the headers, meta elements and tdmrep.json of a page count in the tab about use', async () => {
    const { origin } = await startSite(({ url }, response) => {
      if (url === '/robots.txt') response.end('User-agent: *\nDisallow: /private/\n');
      else if (url === '/.well-known/tdmrep.json') response.end('[{"location":"/","tdm-reservation":1}]');
      else
        response
          .writeHead(200, { 'content-type': 'text/html', 'content-usage': 'search=y' })
          .end(`<meta name="robots" content="noai"><meta name="robots" content="</textarea>${FILE}">`);
    });
    const tab = await openService();
    await tab.getByLabel('Site', { exact: true }).fill(`${origin}/page`);
    await tab.getByRole('button', { name: 'Load from site' }).click();
    await tab.getByText(`${origin}: successful`).waitFor();
    await tab.getByRole('tab', { name: 'AI and use' }).click();
    await tab.getByText('Nothing is declared about the use of this page').waitFor();
    await tab.getByText('More sources').click();
    await tab.getByRole('button', { name: 'Request the page and tdmrep.json' }).click();
    await tab.getByText('The file tdmrep.json refuses AI training').waitFor();
    expect(await tab.getByLabel('Headers of the response').inputValue()).toBe('content-usage: search=y');
    expect(await tab.getByLabel('HTML of the page').inputValue()).toContain(
      '<meta name="robots" content="noai">',
    );
    // The page's own statements do not count for other URLs, tdmrep.json does.
    const search = tab.locator('.preference-row', { hasText: 'bingbot' }).locator('.preference-cell').first();
    await search.getByText('allowed').waitFor();
    await tab.getByRole('combobox', { name: 'URL', exact: true }).selectOption(`${origin}/`);
    await search.getByText('unknown').waitFor();
    await tab.getByRole('button', { name: 'Count them for every URL' }).click();
    await search.getByText('allowed').waitFor();
    // What robots.txt disallows is not requested.
    await tab.getByRole('combobox', { name: 'URL', exact: true }).selectOption(`${origin}/private/`);
    await tab.getByRole('button', { name: 'Request the page and tdmrep.json' }).click();
    await tab.getByText(`Not read: ${origin}/private/ (robots.txt disallows it).`).waitFor();
  });

  test('requests a token if the service needs one', async () => {
    expectProblems(/status of 401/);
    const { origin } = await startSite((_request, response) => response.end(FILE));
    const tab = await openService({ tokens: ['sesame'] });
    // Verdicts of the page itself need no token.
    await expect.poll(() => cell(tab, 0, 0).textContent()).toContain('allowed');
    await tab.getByLabel('Site', { exact: true }).fill(origin);
    await tab.getByRole('button', { name: 'Load from site' }).click();
    await tab.getByLabel(/token/i).fill('sesame');
    await tab.keyboard.press('Enter');
    await tab.getByText(`${origin}: successful`).waitFor();
  });
});
