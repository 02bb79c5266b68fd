import { EventEmitter } from 'node:events';
import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { guardPlaywrightPage, guardPuppeteerPage } from '../../src/adapters/browsers.ts';
import { closeAtEnd } from '../support/close-at-end.ts';
import { serve } from '../support/server.ts';
import { newClient, pathsOf, redirectTo, type Site, showHtml, startSite } from './site.ts';

const CHROMIUM = '/usr/bin/chromium';
const start = (): Promise<Site> => closeAtEnd(startSite());

describe.skipIf(!existsSync(CHROMIUM))('a guarded page of Playwright (skipped without Chromium)', () => {
  let browser: Browser;
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  }, 60_000);
  afterAll(() => browser?.close());

  const newContext = (): Promise<BrowserContext> =>
    closeAtEnd(browser.newContext({ serviceWorkers: 'block' }));

  test('navigates to what is allowed, and not to what is forbidden', async () => {
    const site = await start();
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient());
    expect((await goto(`${site.origin}/open`))?.status()).toBe(200);
    await expect(goto(`${site.origin}/private`)).rejects.toMatchObject({
      ...{ name: 'ForbiddenUrlError', code: 'disallowed', temporary: false },
    });
    await expect(page.goto(`${site.origin}/private`)).rejects.toThrow('ERR_BLOCKED_BY_CLIENT');
    expect(pathsOf(site).filter((path) => path !== '/favicon.ico')).toEqual(['/open']);
  });

  test('follows no redirect into a forbidden path, on the same site and on others', async () => {
    const site = await start();
    const other = await start();
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient());
    const allowed = await goto(`${site.origin}${redirectTo(redirectTo(`${other.origin}/open`))}`);
    expect(allowed?.url()).toBe(`${other.origin}/open`);
    for (const target of ['/private/a', `${other.origin}${redirectTo('/private/b')}`])
      await expect(goto(`${site.origin}${redirectTo(target)}`)).rejects.toMatchObject({ code: 'disallowed' });
    for (const path of [...pathsOf(site), ...pathsOf(other)]) expect(path).not.toMatch(/^\/private/);
  });

  test('refuses the redirect to a private address', async () => {
    const site = await start();
    const other = await start();
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient({ allowPrivateAddresses: undefined }));
    await expect(goto(`${site.origin}${redirectTo(`${other.origin}/open`)}`)).rejects.toMatchObject({
      code: 'private-address',
    });
    expect(other.requests).toEqual([]);
  });

  test('checks frames and their redirects, also of frames of other sites that navigate later', async () => {
    const site = await start();
    const other = await start();
    const away = other.origin.replace('127.0.0.1', 'localhost');
    const link = `${away}${redirectTo('/private/link')}`;
    const child = showHtml(`<a id=link href="${link}">link</a>`);
    const frames = [
      ...['/private/frame', redirectTo('/private/hop'), '/open'],
      ...[`${away}/private/other`, `${away}${child}`],
    ];
    const refused: string[] = [];
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient(), {
      onRefused: (_error, url) => refused.push(new URL(url).pathname),
    });
    await goto(`${site.origin}${showHtml(frames.map((src) => `<iframe src="${src}"></iframe>`).join(''))}`);
    expect(refused.sort()).toEqual(['/private/frame', '/private/hop', '/private/other']);
    const frame = page.frames().find((each) => each.url() === `${away}${child}`);
    await frame?.click('#link', { noWaitAfter: true });
    await expect.poll(() => refused.includes('/private/link')).toBe(true);
    for (const path of [...pathsOf(site), ...pathsOf(other)]) expect(path).not.toMatch(/^\/private/);
    expect(pathsOf(site)).toContain('/open');
  });

  test('frames and links of a page open no private address of another site', async () => {
    const site = await start();
    const other = await start();
    const codes: unknown[] = [];
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient({ allowPrivateAddresses: undefined }), {
      onRefused: (error) => codes.push((error as { readonly code: string }).code),
    });
    const html = `<iframe src="/open"></iframe><iframe src="${other.origin}/frame"></iframe><a id=link href="${other.origin}/link">link</a>`;
    await goto(`${site.origin}${showHtml(html)}`);
    expect(codes).toEqual(['private-address']);
    await Promise.all([
      expect(page.waitForURL(`${other.origin}/link`)).rejects.toThrow('ERR_BLOCKED_BY_CLIENT'),
      page.click('#link', { noWaitAfter: true }),
    ]);
    expect(codes).toEqual(['private-address', 'private-address']);
    expect(pathsOf(site)).toContain('/open');
    expect(other.requests).toEqual([]);
  });

  test('a frame whose server closes the connection ends its turn', async () => {
    const site = await start();
    const away = await closeAtEnd(
      serve(({ url = '' }, response) => {
        if (url === '/robots.txt') response.end('');
        else if (url === '/broken') response.destroy();
        else response.setHeader('content-type', 'text/html').end('<a id=link href="/broken">link</a>');
      }),
    );
    const origin = away.origin.replace('127.0.0.1', 'localhost');
    const page = await (await newContext()).newPage();
    const client = newClient();
    const { goto } = await guardPlaywrightPage(page, client);
    await goto(`${site.origin}${showHtml(`<iframe src="${origin}/frame"></iframe>`)}`);
    const frame = page.frames().find((each) => each.url() === `${origin}/frame`);
    await frame?.click('#link', { noWaitAfter: true });
    await expect.poll(() => away.requests).toContain('/broken');
    await client.pace(`${origin}/next`, () => ({ status: 200, headers: {} }));
  });

  test('a request that the browser gives up while it waits keeps no turn: of a removed frame, another navigation, a closed page', async () => {
    const site = await start();
    const client = newClient();
    const context = await newContext();
    const end: ((page: Page) => Promise<unknown>)[] = [
      (page) => page.evaluate('document.querySelector("iframe").remove()'),
      (page) => page.evaluate('location.href = "about:blank"'),
      (page) => page.close(),
    ];
    for (const each of end) {
      const page = await context.newPage();
      const { goto } = await guardPlaywrightPage(page, client);
      await goto(`${site.origin}/open`);
      const other = await client.takeTurn(`${site.origin}/other`);
      const failed = page.waitForEvent('requestfailed');
      await Promise.all([
        page.waitForRequest(`${site.origin}/frame`),
        page.evaluate('document.body.innerHTML = "<iframe src=/frame></iframe>"'),
      ]);
      await Promise.all([failed.catch(() => {}), each(page)]);
      other.end();
      await client.pace(`${site.origin}/next`, () => ({ status: 200 }), { maxWait: 5_000 });
    }
    expect(pathsOf(site)).not.toContain('/frame');
  });

  test('reports the failure of a page as it is, also if one of its frames is forbidden', async () => {
    const site = await start();
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient());
    const html = showHtml('<iframe src="/private/frame"></iframe>');
    await page.route('**/*', async (route) => {
      await route.fallback();
      // The page never finishes to load.
      if (route.request().url().includes('/private/')) await page.close();
    });
    await expect(goto(`${site.origin}${html}`)).rejects.not.toMatchObject({ name: 'ForbiddenUrlError' });
  });

  test('checks what a page loads if the caller requests that', async () => {
    for (const subresources of [false, true]) {
      const site = await start();
      const page = await (await newContext()).newPage();
      const { goto } = await guardPlaywrightPage(page, newClient(), { subresources });
      const html = `<img src="/private/a.png"><img src="${redirectTo('/private/b.png')}"><img src="/c.png">`;
      await goto(`${site.origin}${showHtml(html)}`);
      const forbidden = pathsOf(site).filter((path) => path.startsWith('/private'));
      expect(forbidden.length).toBe(subresources ? 0 : 2);
      expect(pathsOf(site)).toContain('/c.png');
    }
  });

  test('keeps the pace of the client, and its wait is no part of the time of a navigation', async () => {
    const site = await start();
    const client = newClient({ pace: { spacing: 300 } });
    const context = await newContext();
    const at = performance.now();
    for (let count = 0; count < 3; count++) {
      const { goto } = await guardPlaywrightPage(await context.newPage(), client);
      await goto(`${site.origin}/${count}`);
    }
    expect(performance.now() - at).toBeGreaterThanOrEqual(600);
    const { goto } = await guardPlaywrightPage(await context.newPage(), client);
    expect((await goto(`${site.origin}/status/503`))?.status()).toBe(503);
    await expect(goto(`${site.origin}/open`)).rejects.toMatchObject({ name: 'PaceError', temporary: true });
  });

  test('pages of other schemes, such as about:blank and data:, are not requests', async () => {
    const page = await (await newContext()).newPage();
    const { goto } = await guardPlaywrightPage(page, newClient());
    await goto('about:blank');
    await goto('data:text/html,<title>a</title>');
    expect(await page.title()).toBe('a');
  });
});

/** A page with the interface of Puppeteer's, which calls the handlers of requests as Puppeteer does. */
class PuppeteerLikePage extends EventEmitter {
  readonly sent: string[] = [];
  readonly #main = {};
  #isIntercepted = false;

  mainFrame(): object {
    return this.#main;
  }

  async setRequestInterception(value: boolean): Promise<void> {
    this.#isIntercepted = value;
  }

  /** @param hops - the URLs to which it redirects. */
  async goto(url: string, hops: readonly string[] = []): Promise<string> {
    const chain: { url(): string }[] = [];
    for (const each of [url, ...hops]) {
      if (!(await this.request(each, true, chain))) throw new Error('net::ERR_BLOCKED_BY_CLIENT');
      chain.push({ url: () => each });
    }
    return url;
  }

  /** Sends a request, unless a handler aborts it. */
  async request(
    url: string,
    isNavigation: boolean,
    chain: readonly { url(): string }[] = [],
  ): Promise<boolean> {
    if (!this.#isIntercepted) throw new Error('requests are not intercepted');
    let failure: { readonly errorText: string } | null = null;
    const request = {
      ...{ url: () => url, frame: () => this.#main, failure: () => failure },
      ...{ isNavigationRequest: () => isNavigation, redirectChain: () => chain },
    };
    const isSent = await new Promise<boolean>((resolve) => {
      const answers = { continue: async () => resolve(true), abort: async () => resolve(false) };
      this.emit('request', Object.assign(request, answers));
    });
    if (!isSent) {
      failure = { errorText: 'net::ERR_BLOCKED_BY_CLIENT' };
      this.emit('requestfailed', request);
      return false;
    }
    this.sent.push(url);
    this.emit('response', { url: () => url, status: () => 200, headers: () => ({}) });
    return true;
  }
}

test('a guarded page of Puppeteer checks navigations, redirects, and what it loads', async () => {
  const site = await start();
  const page = new PuppeteerLikePage();
  const refused: string[] = [];
  const guard = await guardPuppeteerPage(page, newClient(), {
    subresources: true,
    onRefused: (_error, url) => refused.push(url),
  });
  const { origin } = site;
  expect(await guard.goto(`${origin}/a#part`)).toBe(`${origin}/a#part`);
  await expect(guard.goto(`${origin}/private`)).rejects.toMatchObject({ code: 'disallowed' });
  await expect(guard.goto(`${origin}/b`, [`${origin}/c`, `${origin}/private/d`])).rejects.toMatchObject({
    ...{ code: 'disallowed', url: `${origin}/private/d` },
  });
  expect(await page.request(`${origin}/private/image`, false)).toBe(false);
  expect(await page.request(`${origin}/image`, false)).toBe(true);
  expect(page.sent).toEqual([`${origin}/a#part`, `${origin}/b`, `${origin}/c`, `${origin}/image`]);
  expect(refused).toEqual([`${origin}/private/d`, `${origin}/private/image`]);
});

test('the turns of a closed page, and of two navigations to one URL, are free', async () => {
  const site = await start();
  const client = newClient({ pace: { concurrency: 2 } });
  const page = new PuppeteerLikePage();
  const { goto } = await guardPuppeteerPage(page, client);
  const url = `${site.origin}/a`;
  await Promise.all([goto(url), goto(url)]);
  const turns = [await client.takeTurn(url), await client.takeTurn(url)];
  const waiting = page.request(url, true);
  await new Promise(setImmediate);
  page.emit('close');
  expect(await waiting).toBe(false);
  expect(await page.request(url, true)).toBe(false);
  for (const turn of turns) turn.end();
  for (const turn of [await client.takeTurn(url), await client.takeTurn(url)]) turn.end();
});

test('misuse is an error', async () => {
  const page = new PuppeteerLikePage();
  await expect(guardPuppeteerPage(page, {} as never)).rejects.toThrow(TypeError);
  await expect(guardPuppeteerPage({} as never, newClient())).rejects.toThrow('no method goto');
  await expect(guardPuppeteerPage(page, newClient(), { subresource: true } as object)).rejects.toThrow(
    'Did you mean "subresources"?',
  );
  await expect(guardPlaywrightPage(page as never, newClient())).rejects.toThrow('no method route');
});
