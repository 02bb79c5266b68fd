import { deflateRawSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { paste, write } from './support/hands.ts';
import type { ServiceReply } from './support/page-server.ts';
import { prepareTester } from './support/tester.ts';

const INJECTION = '<img src=x onerror=alert(1)><script>alert(2)</script>';
const BIDI = '\u202egnp.exe';

/** A response in the form of docs/serve.md, with the content of a hostile site. */
const ANSWER = {
  ...{ origin: 'https://evil.example', url: 'https://evil.example/robots.txt' },
  ...{ policy: { kind: 'rules' }, result: 'successful', status: 200, code: null, message: INJECTION },
  hops: [
    { url: `https://evil.example/${INJECTION}`, status: 301, location: 'javascript:alert(3)' },
    { url: `https://evil.example/${BIDI}`, status: 200 },
  ],
  headers: {
    cacheControl: `max-age=1, ${INJECTION}${BIDI}`,
    expires: null,
    date: null,
    etag: '"\u0000\u001b[31m"',
  },
  ...{ timings: { total: 12.5 }, bytes: 81 },
  ...{ fetchedAt: '2026-11-21T10:00:00.000Z', expiresAt: '2026-11-21T11:00:00.000Z', outage: null },
  content: Buffer.from(`User-agent: *\r\nDisallow: /${INJECTION}\r\nAllow: /caf\xe9\r\n`, 'latin1').toString(
    'base64',
  ),
  events: [
    { at: '2026-11-21T10:00:00.000Z', kind: 'successful', status: 200, code: null },
    { at: INJECTION, kind: INJECTION, status: null, code: INJECTION },
  ],
};

/** A response of POST /v1/sample. */
const SAMPLE = {
  origin: 'https://evil.example',
  sitemaps: [{ url: `https://evil.example/${INJECTION}`, entries: 0, problem: INJECTION }],
  others: 1,
  urls: [],
};

/** What the page does while its workers get no message. */
interface Recorded {
  readonly messages: (readonly [Worker, RecordedMessage])[];
  /** Number of rows that were added to the matrix. */
  rows: number;
  release: () => void;
}

interface RecordedMessage {
  readonly kind: string;
  readonly request?: { readonly kind: string };
}

describe.skipIf(isChromiumMissing)(`the page with hostile or large input${NEEDS}`, () => {
  let reply: ServiceReply = { status: 200, body: ANSWER };
  const fetched: { origin: string | null; authorization: string | undefined }[] = [];
  const { start, getUrl, expectProblems } = prepareTester(({ pathname, searchParams }, { headers }) => {
    if (pathname === '/v1/sample') return { status: 200, body: SAMPLE };
    fetched.push({ origin: searchParams.get('origin'), authorization: headers.authorization });
    return pathname === '/v1/robots' ? reply : undefined;
  });

  test('shows injections in the file, in URLs and in a sitemap as text', async () => {
    const page = await start();
    await write(
      page,
      `User-agent: ${INJECTION}\nUser-agent: *\n${INJECTION}\nDisallow: /${BIDI}${INJECTION}\nSitemap: javascript:alert(4)\n`,
    );
    await page.locator('.cm-specialChar').waitFor();
    await page.locator('.findings summary').click();
    await page.locator('.finding-message', { hasText: INJECTION }).first().waitFor();
    await page.getByRole('button', { name: /URLs…/ }).click();
    const urls = [
      'javascript:alert(5)',
      `https://shop.example/${INJECTION}`,
      `/${BIDI}`,
      `data:text/html,${INJECTION}`,
      `/${'long'.repeat(24_000)}`,
    ];
    await page.getByRole('textbox', { name: 'URLs' }).fill(urls.join('\n'));
    await page.getByRole('button', { name: 'Use this list' }).click();
    await page.getByRole('rowheader', { name: 'javascript:alert(5)' }).waitFor();
    await page.getByRole('rowheader', { name: '/\\u{202e}gnp.exe' }).waitFor();
    await expect
      .poll(() => page.locator('[role=gridcell][aria-colindex="2"]').allInnerTexts())
      .toEqual(['not applicable', 'allowed', 'allowed', 'not applicable', 'allowed']);
    for (let row = 0; row < urls.length; row++) {
      await page
        .locator(`[aria-rowindex="${row + 2}"] [role=gridcell]`)
        .first()
        .click();
      await page.locator(`[aria-rowindex="${row + 2}"] [aria-selected=true]`).waitFor();
    }
    await page.locator('.cell-name', { hasText: '(96,001 characters)' }).waitFor();
    await page.getByRole('button', { name: /URLs…/ }).click();
    const sitemap = `<urlset><url><loc><![CDATA[https://shop.example/${INJECTION}]]></loc></url><url><loc>javascript:alert(6)</loc></url></urlset>`;
    await page.getByRole('textbox', { name: 'URLs' }).fill(sitemap);
    await page.getByRole('button', { name: 'Use this list' }).click();
    await page.getByRole('rowheader', { name: 'javascript:alert(6)' }).waitFor();
    // None of the injections created an element or a link.
    expect(
      await page.locator('img:not([src="./favicon.svg"], .cm-widgetBuffer), script:not([src]), a').count(),
    ).toBe(0);
    expect(await page.evaluate(() => document.body.textContent.includes('\u202e'))).toBe(false);
  });

  test('shows injections in the file, headers and redirects of a site as text', async () => {
    reply = { status: 200, body: ANSWER };
    const page = await start();
    await page.getByLabel('Site', { exact: true }).fill('Evil.example/some/page');
    await page.getByRole('button', { name: 'Load from site' }).click();
    await page.getByText('https://evil.example: successful').waitFor();
    expect(fetched.at(-1)?.origin).toBe('https://evil.example');
    await page.locator('.hops', { hasText: 'status 301, redirects to javascript:alert(3)' }).waitFor();
    await page.getByText('The next fetch is due at').waitFor();
    await page.getByText('"\\x00\\x1b[31m"').waitFor();
    expect(await page.locator('.report').textContent()).toContain(INJECTION);
    // The bytes are not UTF-8: the page judges the original bytes until the first edit.
    await page.getByText('This file is not UTF-8.').waitFor();
    await page.getByText('This file applies only to').waitFor();
    await page.getByPlaceholder('Add a URL').fill('https://evil.example/caf%E9');
    await page.keyboard.press('Enter');
    await page.locator('.cm-winner', { hasText: 'Allow: /caf' }).waitFor();
    await page.getByPlaceholder('Add a URL').fill('https://other.example/');
    await page.keyboard.press('Enter');
    const unanswered = page.locator('[role=gridcell]', { hasText: 'not applicable' });
    await unanswered.first().waitFor();
    await page.getByRole('button', { name: 'Test URLs of any site' }).click();
    await unanswered.first().waitFor({ state: 'detached' });
    await page.locator('.cm-content').focus();
    await page.keyboard.type('# ');
    await page.getByText('This file was not UTF-8').waitFor();
    expect(
      await page.locator('img:not([src="./favicon.svg"], .cm-widgetBuffer), script:not([src]), a').count(),
    ).toBe(0);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('Before: live, https://evil.example').waitFor();
  });

  test('an error of the service is shown, and a token is requested and stored for the tab only', async () => {
    // The browser itself reports the two refusals.
    expectProblems(/status of 40[01]/);
    reply = {
      status: 400,
      type: 'application/problem+json',
      body: {
        type: 'about:blank',
        title: 'Not allowed',
        status: 400,
        detail: INJECTION,
        code: 'private-address',
      },
    };
    const page = await start();
    const load = async (): Promise<void> => page.getByRole('button', { name: 'Load from site' }).click();
    await page.getByLabel('Site', { exact: true }).fill('javascript:alert(1)');
    await load();
    await page.getByText('This is not a site').waitFor();
    await page.getByLabel('Site', { exact: true }).fill('example.com');
    await load();
    await page.getByText(`Not allowed: ${INJECTION}`).waitFor();
    reply = { status: 401, type: 'application/problem+json', body: { title: 'Unauthorized', status: 401 } };
    await load();
    await page.getByLabel(/requires a token/).waitFor();
    const noFile = {
      ...ANSWER,
      policy: { kind: 'disallow-all', reason: 'unreachable' },
      result: 'unreachable',
      content: null,
      outage: { since: ANSWER.fetchedAt, nextPhaseAt: null },
    };
    reply = { status: 200, body: noFile };
    await load();
    await page.getByText('robots.txt is unreachable since').waitFor();
    await page.getByText('There is no file, so the editor is unchanged.').waitFor();
    await page.locator('.cm-line', { hasText: 'small shop' }).waitFor();
    reply = { status: 401, type: 'application/problem+json', body: { title: 'Unauthorized', status: 401 } };
    await load();
    // The field appears with the response: only then the next request has another one.
    const token = page.getByLabel(/requires a token/);
    await token.waitFor();
    reply = { status: 200, body: ANSWER };
    await token.fill('secret');
    await load();
    await page.getByText('https://evil.example: successful').waitFor();
    expect(fetched.at(-1)?.authorization).toBe('Bearer secret');
    expect(await page.evaluate(() => [sessionStorage.length, localStorage.length, document.cookie])).toEqual([
      1,
      0,
      '',
    ]);
  });

  test('a broken link shows the sample', async () => {
    const wrong = deflateRawSync('{"file":{"base64":{}},"urls":{"length":1e9}}').toString('base64url');
    const bomb = deflateRawSync(Buffer.alloc(100 * 1024 * 1024, 0x20)).toString('base64url');
    const page = await start();
    for (const content of ['AAAA', '%00%', wrong, bomb]) {
      // A new fragment does not load the page again; the tester restarts itself.
      await page.goto(`${getUrl()}#v1.${content}`);
      await page.getByText('This link is not valid').waitFor();
      await page.locator('.cm-line', { hasText: 'small shop' }).waitFor();
      await page.goto('about:blank');
    }
  });

  test('a link with injections shows them as text', async () => {
    const state = {
      file: `User-agent: *\nDisallow: /x\nDisallow: /${INJECTION}`,
      urls: [INJECTION, `/${INJECTION}`],
      crawlers: [INJECTION, 'a'],
      profile: INJECTION,
      before: { name: INJECTION, file: '' },
    };
    const fragment = `#v1.${deflateRawSync(JSON.stringify(state)).toString('base64url')}`;
    const page = await start({}, getUrl() + fragment);
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('Verdicts change.').waitFor();
    expect(await page.locator('.bar').last().textContent()).toContain(INJECTION);
    expect(
      await page.locator('img:not([src="./favicon.svg"], .cm-widgetBuffer), script:not([src]), a').count(),
    ).toBe(0);
  });

  test('a large file and a long list are judged', async () => {
    const page = await start();
    const lines = Array.from(
      { length: 8000 },
      (_, index) => `Disallow: /*${index % 7}*/path-${index}/${'x'.repeat(60)}*y`,
    );
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open…', exact: true }).click();
    const buffer = Buffer.from(`User-agent: *\n${lines.join('\n')}\n`);
    expect(buffer.length).toBeGreaterThan(600_000);
    await (await chooser).setFiles({ name: 'robots.txt', mimeType: 'text/plain', buffer });
    await page.getByPlaceholder('Add a URL').fill(`/${'0123456/'.repeat(400)}path-7/${'x'.repeat(60)}zy`);
    await page.keyboard.press('Enter');
    await page.locator('.cell-name', { hasText: '0123456' }).waitFor();
    await page.locator('.explanation', { hasText: 'is the longest matching rule' }).waitFor();
    await page.getByRole('button', { name: /URLs…/ }).click();
    const chooser2 = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a list or sitemap…' }).click();
    const list = Buffer.from(Array.from({ length: 50_001 }, (_, index) => `/path-${index}`).join('\n'));
    await (await chooser2).setFiles({ name: 'urls.txt', mimeType: 'text/plain', buffer: list });
    await page.getByText('The list is too long: only its first 50,000 URLs are used.').waitFor();
    await page.getByRole('button', { name: 'URLs… 50,000' }).waitFor();
    await page.locator('small', { hasText: '0 disallowed' }).first().waitFor();
  });

  test('stays responsive with 5,000 URLs and 6 crawlers', async () => {
    const page = await start();
    await page.getByRole('button', { name: /Crawlers…/ }).click();
    await page.getByLabel('Other product tokens').fill('AnyOtherBot, SixthBot');
    await page.getByRole('button', { name: 'Use these' }).click();
    await page.getByRole('button', { name: /URLs…/ }).click();
    const urls = Array.from(
      { length: 5000 },
      (_, index) => `https://shop.example/${index % 3 ? 'private' : 'cart'}/${index}?sessionid=${index}`,
    );
    const field = page.getByRole('textbox', { name: 'URLs' });
    await field.fill('');
    await paste(field, urls.join('\n'));
    await page.getByRole('button', { name: 'Use this list' }).click();
    await page.getByRole('button', { name: 'URLs… 5,000' }).waitFor();
    await page.locator('small', { hasText: '5,000 disallowed' }).first().waitFor();
    expect(await page.locator('[role=row]').count()).toBeLessThan(60);
    // The workers get no message while keys are pressed: what the page does meanwhile, it does by itself.
    await page.evaluate(() => {
      const { postMessage } = Worker.prototype;
      const noted: Recorded = { messages: [], rows: 0, release: () => {} };
      noted.release = () => {
        Worker.prototype.postMessage = postMessage;
        for (const [worker, message] of noted.messages) worker.postMessage(message);
      };
      Worker.prototype.postMessage = function (this: Worker, message: RecordedMessage) {
        noted.messages.push([this, message]);
      };
      new MutationObserver((records) => {
        for (const { addedNodes } of records)
          for (const node of addedNodes) if (node instanceof HTMLElement && node.role === 'row') noted.rows++;
      }).observe(document.querySelector('.matrix') as Element, { childList: true, subtree: true });
      Object.assign(window, { noted });
    });
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    const typed = 'User-agent: Googlebot\nUser-agent: SixthBot\nAllow: /private/1\n\n';
    await page.keyboard.type(typed);
    await page.locator('.cm-line', { hasText: 'Allow: /private/1' }).waitFor();
    const sixthBot = page.getByRole('columnheader', { name: 'SixthBot' });
    expect(await sixthBot.innerText()).toContain('5,000 disallowed');
    // The page judges no URL, renders no row again, and requests the matrix once for each key, without the URLs.
    const recorded = await page.evaluate(() => {
      const { noted } = window as unknown as { noted: Recorded };
      const messages = noted.messages.map(([, { kind, request }]) => request?.kind ?? kind);
      return { messages, rows: noted.rows };
    });
    expect(recorded.rows).toBe(0);
    expect(recorded.messages).not.toContain('urls');
    expect(recorded.messages.filter((kind) => kind === 'matrix').length).toBeGreaterThan(0);
    expect(recorded.messages.filter((kind) => kind === 'matrix').length).toBeLessThanOrEqual(typed.length);
    await page.evaluate(() => (window as unknown as { noted: Recorded }).noted.release());
    // 3,333 URLs begin with /private; two thirds of them begin with /private/1.
    const expected = urls.filter((url) => !url.includes('/private/1')).length.toLocaleString('en');
    await sixthBot.filter({ hasText: /^SixthBot\s*0 disallowed/ }).waitFor();
    await page
      .getByRole('columnheader', { name: 'Googlebot', exact: false })
      .filter({ hasText: `${expected} disallowed` })
      .first()
      .waitFor();
    await page.locator('.matrix').evaluate((grid) => {
      grid.scrollTop = grid.scrollHeight;
    });
    await page.locator('[aria-rowindex="5001"]').waitFor();
    expect(await page.evaluate(() => (window as unknown as { noted: Recorded }).noted.rows)).toBeGreaterThan(
      0,
    );
  });
});
