import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { afterAll, describe, expect, test } from 'vitest';
// The published packages, because the service starts threads from built files.
import { MemoryStore } from '../../../maycrawl/dist/index.js';
import { createService } from '../../../maycrawl/dist/serve/service.js';
import type { ServiceOptions } from '../../../maycrawl/dist/serve/service-options.js';
import { isChromiumMissing, NEEDS, open } from './support/browser.ts';
import { findBuiltPage } from './support/built-page.ts';
import { prepareBrowser } from './support/opened-pages.ts';

const HOSTILE = `<img src=x onerror=alert(1)>&"'`;

describe.skipIf(isChromiumMissing)(`the page of audits${NEEDS}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  const { show, expectProblems } = prepareBrowser();
  const ends: (() => Promise<unknown>)[] = [];
  afterAll(async () => {
    for (const end of ends) await end();
    rmSync(folder, { recursive: true });
  });
  async function startService(options: Partial<ServiceOptions>): Promise<string> {
    const app = await createService({
      ...{ store: new MemoryStore(), userAgent: 'test', pageFolder: findBuiltPage('web') },
      ...options,
    });
    ends.push(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  }

  const openAudits = async (path: string, options: Partial<ServiceOptions>): Promise<Page> => {
    const address = `${await startService(options)}${path}`;
    return show((browser) => open(browser, address, {}, 'main'));
  };

  test('lists reports with links, and shows hostile names as text', async () => {
    // The browser requests the icon of a report, which has none here.
    expectProblems(/status of 404/);
    const audits = join(folder, 'hostile');
    mkdirSync(audits);
    for (const name of ['shop', HOSTILE])
      writeFileSync(join(audits, `${name}.html`), `<p>report ${name.length}`);
    const tab = await openAudits('/audits/', { auditFolder: audits });
    await tab.getByRole('link', { name: HOSTILE }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/audits.html');
    expect(await tab.locator('img:not([alt=""])').count()).toBe(0);
    await tab.getByRole('link', { name: HOSTILE }).click();
    await tab.getByText(`report ${HOSTILE.length}`).waitFor();
  });

  test('shows a long list page by page', async () => {
    const audits = join(folder, 'long');
    mkdirSync(audits);
    for (let index = 0; index < 501; index++) writeFileSync(join(audits, `site-${index}.html`), 'x');
    const tab = await openAudits('/audits.html', { auditFolder: audits });
    await tab.getByText('Page 1 of 2, 501 reports').waitFor();
    await tab.getByRole('button', { name: 'Older' }).click();
    await tab.getByText('Page 2 of 2, 501 reports').waitFor();
    expect(await tab.locator('main li').count()).toBe(1);
  });

  test('shows the trend of a site: columns that open reports, errors, changes and a table', async () => {
    // The browser requests the icon of a report, which has none here.
    expectProblems(/status of 404/);
    const audits = join(folder, 'trend');
    const reasons = {
      blocked: 0,
      unreachable: 0,
      error: 0,
      redirect: 0,
      'not-found': 0,
      noindex: 3,
      canonicalised: 0,
    };
    for (const [day, state] of ['complete', 'unfinished', 'complete'].entries()) {
      mkdirSync(join(audits, `run ${day}`), { recursive: true });
      if (day > 0) writeFileSync(join(audits, `run ${day}`, 'report.html'), `<p>report ${day}`);
      const findings = [{ code: 'redirect-loop', severity: 'error', count: day + 1, title: '' }];
      const agents = ['Googlebot', HOSTILE].map((agent, index) => ({
        agent,
        judged: 9,
        indexable: 6 - index,
        reasons,
        findings,
      }));
      const startedAt = new Date(Date.UTC(2026, 10, 1 + day)).toISOString();
      const point = {
        starts: ['https://a.example/'],
        startedAt,
        endedAt: startedAt,
        state,
        ending: HOSTILE,
        agents,
      };
      const changes = [{ kind: 'finding', severity: 'error', title: `${HOSTILE} ${day}` }];
      writeFileSync(
        join(audits, `run ${day}`, 'summary.json'),
        JSON.stringify({ ...point, comparedWith: null, changes }),
      );
    }
    const url = `${await startService({ auditFolder: audits })}/audits.html`;
    for (const [name, options] of Object.entries({
      desktop: {},
      phone: { viewport: { width: 360, height: 740 } },
    })) {
      const tab = await show((browser) =>
        open(browser, `${url}#site=https%3A%2F%2Fa.example%2F`, options, '.changes'),
      );
      expect(await tab.getByLabel('Site').inputValue()).toBe('https://a.example/');
      await tab.getByText('3 redirects lead into a loop at most 3').waitFor();
      expect(await tab.locator('.changes > li').count()).toBe(3);
      await tab.getByText('As a table').click();
      expect(await tab.locator('.trend-table tbody tr').allInnerTexts()).toEqual([
        expect.stringMatching(/\t6\t3\t3$/),
        expect.stringContaining(HOSTILE),
        expect.stringMatching(/\t6\t3\t1$/),
      ]);
      await tab.getByLabel('Crawler').selectOption(HOSTILE);
      expect(await tab.locator('.trend-table tbody tr').first().innerText()).toMatch(/\t5\t3\t3$/);
      expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth), name).toBe(0);
      // The run without a report has no link.
      expect(await tab.locator('.trend-chart a').count()).toBe(2);
      await tab.getByRole('link', { name: /5 of 9 URLs indexable, 3 noindex$/ }).focus();
      await tab.keyboard.press('Enter');
      await tab.getByText('report 2').waitFor();
    }
  });

  test('requests a token, and is not served without a folder', async () => {
    expectProblems(/status of 40[14]/);
    const audits = join(folder, 'token');
    mkdirSync(audits);
    writeFileSync(join(audits, 'shop.html'), 'x');
    const tab = await openAudits('/audits.html', { auditFolder: audits, tokens: ['sesame'] });
    await tab.getByLabel('Token', { exact: true }).fill('sesame');
    await tab.getByRole('button', { name: 'Use token' }).click();
    await tab.getByRole('link', { name: 'shop' }).waitFor();
    expect((await fetch(`${await startService({})}/audits.html`)).status).toBe(404);
  });
});
