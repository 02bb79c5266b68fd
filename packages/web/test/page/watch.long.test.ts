import { sql } from '@maycrawl/client/internal';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoViolations, WIDTH_RULES } from './support/axe.ts';
import { isChromiumMissing, NEEDS, open } from './support/browser.ts';
import { findBuiltPage } from './support/built-page.ts';
import { INJECTION, type Monitored, startMonitored } from './support/monitored.ts';
import { prepareBrowser } from './support/opened-pages.ts';

describe.skipIf(isChromiumMissing)(`the pages of the monitor${NEEDS}`, () => {
  const { show, expectProblems } = prepareBrowser();
  let monitored: Monitored;
  let url: string;
  beforeAll(async () => {
    monitored = await startMonitored();
    url = await monitored.serve(findBuiltPage('web'));
  });
  afterAll(() => monitored?.close());

  const start = (fragment: string, options = {}, shown = '.live.live'): Promise<Page> =>
    show((browser) => open(browser, `${url}${fragment}`, options, shown));
  const at = (view: string, rest = ''): string => `#/${view}/${encodeURIComponent(monitored.origin)}${rest}`;

  /** Every view, with the text to wait for. */
  const views = (): readonly (readonly [string, string, (page: Page) => Promise<void>])[] => [
    ['sites', '#/', (page) => page.getByText('Latest events').waitFor()],
    ['site', at('site'), (page) => page.getByText('As a table').click()],
    ['version', at('version', '/2'), (page) => page.getByText('Open in the tester').waitFor()],
    ['no file', at('version', '/3'), (page) => page.getByText('unreachable').first().waitFor()],
    ['compare', at('compare', '/1/2'), (page) => page.getByText('newly blocked').first().waitFor()],
    [
      'edit',
      at('site'),
      async (page) => {
        await page.getByRole('button', { name: 'Edit…' }).click();
        await page.getByText('Severity of each kind of change').click();
      },
    ],
    ['add', '#/', (page) => page.getByRole('button', { name: 'Watch a site…' }).click()],
    [
      'delete',
      at('site'),
      async (page) => {
        await page.getByRole('button', { name: 'Delete…' }).click();
        await page.getByRole('dialog').waitFor();
      },
    ],
  ];

  test.each(['sites', 'site', 'version', 'no file', 'compare', 'edit', 'add', 'delete'])(
    '%s: axe finds no violation, a phone is wide enough, hostile input is text, and secrets are hidden',
    async (name) => {
      const [, fragment, reach] = views().find(([each]) => each === name) ?? ['', '', async () => {}];
      const page = await start(fragment);
      await reach(page);
      if (name === 'version' || name === 'compare')
        await page.getByText(`Disallow: /shop/${INJECTION}`, { exact: false }).first().waitFor();
      if (name === 'edit') await page.getByText(`feed:/srv/${INJECTION}`).first().waitFor();
      const found = await page.evaluate(() => [
        document.querySelectorAll('img:not([src="./favicon.svg"]), script:not([src])').length,
        [...document.querySelectorAll('a')].filter(
          (each) => !/^(#\/|\.\/)/.test(each.getAttribute('href') ?? ''),
        ).length,
        Number(document.body.textContent.includes('\u202e')),
        Number(document.documentElement.outerHTML.includes('sesame')),
      ]);
      expect(found).toEqual([0, 0, 0, 0]);
      await expectNoViolations(page);
      await page.setViewportSize({ width: 390, height: 844 });
      await expectNoViolations(page, { rules: WIDTH_RULES });
      const widths = await page.evaluate(() => {
        const dialog = document.querySelector('dialog');
        return [
          document.documentElement.scrollWidth,
          dialog === null ? 0 : dialog.scrollWidth - dialog.clientWidth,
        ];
      });
      expect(widths).toEqual([390, 0]);
    },
  );

  test('unknown and hostile addresses show the list', async () => {
    const page = await start('#/');
    for (const fragment of [
      '#/site/javascript:alert(1)',
      '#/site/%zz',
      `#/site/${encodeURIComponent(`https://${INJECTION}`)}`,
      '#/compare/https%3A%2F%2Fx.example/1/x',
      `#/${INJECTION}`,
    ]) {
      await page.goto(`${url}${fragment}`);
      await page.getByText('Latest events').waitFor();
    }
  });

  test('filters sites by a part of their names and by state, page by page', async () => {
    const page = await start('#/');
    await page.getByText('121 sites watched').waitFor();
    expect(await page.locator('.sites > li').count()).toBe(50);
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('button', { name: 'Show more' }).click();
    await page.getByRole('link', { name: 'https://site-119.example' }).waitFor();
    expect(await page.locator('.sites > li').count()).toBe(121);
    await page.getByLabel('Filter by name').fill('site-07');
    await page.getByRole('link', { name: 'https://site-070.example' }).waitFor();
    await expect.poll(() => page.locator('.sites > li').count()).toBe(10);
    await page.getByLabel('Filter by name').fill('');
    await page.getByLabel('Policy').selectOption('rules');
    await expect.poll(() => page.locator('.sites > li').count()).toBe(1);
    await page.getByLabel('Last event').selectOption('info');
    await page.getByText('No site matches.').waitFor();
  });

  test('a long history is loaded in parts', async () => {
    const origin = 'https://site-119.example';
    const { db } = monitored.monitor.database;
    const facts = JSON.stringify({ status: 404, code: null, reason: null, headers: null, hops: [] });
    for (let number = 1; number <= 230; number++) {
      const at = Date.UTC(2026, 0, number);
      await db.run(sql`insert into watch_versions (origin, number, kind, hash, facts, first_seen, last_seen, checks)
        values (${origin}, ${number}, 'absent', null, ${facts}, ${at}, ${at}, 1)`);
      await db.run(sql`insert into watch_events (id, origin, version, at, kind, severity, title, text, details, throttled)
        values (${`old-${number}`}, ${origin}, ${number}, ${at}, 'records', 'info', ${`event ${number}`}, '', '{}', 0)`);
    }
    const page = await start(`#/site/${encodeURIComponent(origin)}`);
    await page.getByRole('button', { name: 'List all 200' }).click();
    await page.getByRole('button', { name: 'Older versions' }).click();
    await expect.poll(() => page.locator('.versions tbody tr').count()).toBe(230);
    await page.getByRole('button', { name: 'Older events' }).click();
    await expect.poll(() => page.locator('.events > li').count()).toBe(200);
    await page.getByRole('button', { name: 'Older events' }).click();
    await page.getByText('event 1', { exact: true }).waitFor();
    await expect.poll(() => page.getByRole('button', { name: /Older/ }).count()).toBe(0);
    await db.run(sql`delete from watch_events where origin = ${origin}`);
  });

  test('the keyboard is enough to open a site, two versions and the tester, and to return', async () => {
    const page = await start('#/');
    const press = async (key: string, until: string): Promise<void> => {
      for (let count = 0; count < 60; count++) {
        await page.keyboard.press(key);
        const text = await page.evaluate(() => document.activeElement?.textContent ?? '');
        if (text === until) return;
      }
      throw new Error(`${until} cannot be reached`);
    };
    await page.getByRole('link', { name: monitored.origin }).first().waitFor();
    await press('Tab', monitored.origin);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: monitored.origin }).waitFor();
    await page.getByText('As a table').waitFor();
    await press('Tab', 'Compare');
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Side by side' }).waitFor();
    await page.getByText('Verdicts change.').waitFor();
    await press('Tab', 'Open both in the tester');
    await page.keyboard.press('Enter');
    await page.locator('.cm-content').waitFor();
    await page.getByText('Verdicts change.').waitFor();
    expect(await page.locator('.cm-content').textContent()).toContain('Disallow: /b');
    await page.goBack();
    await page.getByRole('heading', { name: 'Side by side' }).waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Over time', exact: true }).waitFor();
  });

  test('events are shown as they happen', async () => {
    const page = await start(at('site'));
    const list = await start('#/');
    await page.getByText('As a table').waitFor();
    await monitored.change('User-agent: *\nDisallow: /\n');
    await page.getByText('newly blocked: / for Googlebot', { exact: false }).first().waitFor();
    await list.getByText('newly blocked: / for Googlebot', { exact: false }).first().waitFor();
    await expect.poll(() => page.locator('.versions tbody tr').count()).toBe(6);
  });

  test('a site is added, changed and deleted; targets are preserved, and their secrets are hidden', async () => {
    // The browser reports a status other than 2xx in its console.
    expectProblems(/the server responded with a status of 400/);
    const page = await start('#/');
    await page.getByRole('button', { name: 'Watch a site…' }).click();
    await page.getByLabel('Site', { exact: true }).fill('new.example/x');
    await page.getByLabel('Check every').fill('15');
    await page.getByLabel('Unit').selectOption('minute');
    await page.getByLabel('Crawlers whose verdicts matter').fill('googlebot, bingbot');
    await page.getByLabel('URLs whose verdicts matter').fill('/a\n/b');
    await page.getByLabel('Kind of target').selectOption('mailto:');
    await page.getByLabel('Target', { exact: true }).fill('web@new.example');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page.getByRole('button', { name: 'Add site' }).click();
    await page.getByRole('heading', { name: 'https://new.example' }).waitFor();
    await page.getByText('15 minutes').waitFor();
    const kept = async (origin: string): Promise<{ readonly notify?: readonly string[] }> => {
      const { repository } = monitored.monitor;
      const row = await repository.site(origin);
      return row === undefined ? {} : repository.settingsIn(row);
    };
    expect(await kept('https://new.example')).toMatchObject({
      ...{ every: 900_000, agents: ['Googlebot', 'bingbot'], notify: ['mailto:web@new.example'] },
    });
    await page.getByRole('button', { name: 'Delete…' }).click();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('121 sites watched').waitFor();

    const before = await kept(monitored.origin);
    await page.goto(`${url}${at('site')}`);
    await page.getByRole('button', { name: 'Edit…' }).click();
    await page.getByLabel('Expectations, as in').fill('- agent: Googlebot\n  allow: [gopher://x]');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').getByText('invalid tests', { exact: false }).waitFor();
    await page.getByLabel('Expectations, as in').fill('');
    await page.getByLabel('Target', { exact: true }).fill('https://hooks.example/other');
    await page.getByRole('button', { name: 'Add', exact: true }).click();
    await page
      .getByLabel('What https://hooks.example/other receives')
      .selectOption({ label: 'warnings and errors' });
    await page.getByRole('button', { name: 'Remove feed:', exact: false }).click();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    const [hook, program] = before.notify as string[];
    expect(await kept(monitored.origin)).toMatchObject({
      notify: [hook, program, 'https://hooks.example/other'],
      notifyFrom: { 'https://hooks.example/other': 'warning' },
    });
    await page.getByText('https://hooks.example/… (warnings and errors)', { exact: false }).waitFor();
  });

  test('requests a token, and reports a missing service or monitor', async () => {
    expectProblems(/the server responded with a status of 401/);
    const guarded = await monitored.serve(findBuiltPage('web'), { tokens: ['sesame'] });
    const page = await show((browser) => open(browser, guarded, {}, 'h1'));
    const field = page.getByRole('textbox', { name: 'Token' });
    await field.fill('wrong');
    await page.keyboard.press('Enter');
    await page.getByText('121 sites watched').or(field).waitFor();
    await expect.poll(() => field.inputValue()).toBe('');
    await field.fill('sesame');
    await page.keyboard.press('Enter');
    await page.getByText('121 sites watched').waitFor();
    await page.locator('.live.live').waitFor();
    expect(await page.evaluate(() => [localStorage.length, sessionStorage.length])).toEqual([0, 1]);
    const tester = await show((browser) => open(browser, url.replace('watch.html', '')));
    await tester.getByRole('link', { name: 'Watched sites' }).click();
    await tester.getByText('121 sites watched').waitFor();
  });

  test('the comparison shows changed declarations about the use of content, also if no verdict changes', async () => {
    // Other tests count the versions of this site, so this test is the last one.
    const group = 'User-agent: *\nDisallow: /b\n';
    await monitored.change(group);
    await monitored.change(`${group}Content-Usage: train-ai=n\n`);
    const after = (await monitored.monitor.repository.versions(monitored.origin))[0]?.number ?? 0;
    const page = await start(at('compare', `/${after - 1}/${after}`));
    await page.getByText('Proved: every crawler may fetch the same URLs as before.').waitFor();
    const declarations = page.getByRole('region', { name: 'Preferences about the use of content' });
    await declarations.getByText('Declarations change.').waitFor();
    await declarations.getByText(/^AI training newly disallowed for GPTBot and \d+ others/).waitFor();
    const cells = await declarations.locator('tbody td').allInnerTexts();
    expect(cells.slice(0, 4)).toEqual([
      'AI training',
      '/',
      'nothing declared',
      'disallowed, line 3: Content-Usage: train-ai=n',
    ]);
    await expectNoViolations(page);
    await page.setViewportSize({ width: 390, height: 844 });
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
  });
});
