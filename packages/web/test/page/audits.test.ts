import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
// The published packages, because the service starts threads from built files.
import { MemoryStore } from '../../../maycrawl/dist/index.js';
import { createService, type ServiceOptions } from '../../../maycrawl/dist/serve/service.js';
import { isChromiumMissing, launch, NEEDS, open } from './support/browser.ts';
import { buildPage } from './support/page-server.ts';

const HOSTILE = `<img src=x onerror=alert(1)>&"'`;

describe.skipIf(isChromiumMissing)(`the page of audits${NEEDS}`, () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  let browser: Browser;
  let page: { folder: string; remove: () => Promise<void> };
  const ends: (() => Promise<unknown>)[] = [];
  beforeAll(async () => {
    [browser, page] = await Promise.all([launch(), buildPage()]);
  }, 60_000);
  afterAll(async () => {
    for (const end of ends) await end();
    await browser.close();
    await page.remove();
    rmSync(folder, { recursive: true });
  });
  async function startService(options: Partial<ServiceOptions>): Promise<string> {
    const app = await createService({
      ...{ store: new MemoryStore(), userAgent: 'test', pageFolder: page.folder },
      ...options,
    });
    ends.push(() => app.close());
    return app.listen({ host: '127.0.0.1', port: 0 });
  }

  test('lists reports with links, and shows hostile names as text', async () => {
    const audits = join(folder, 'hostile');
    mkdirSync(audits);
    for (const name of ['shop', HOSTILE])
      writeFileSync(join(audits, `${name}.html`), `<p>report ${name.length}`);
    const { page: tab, wrongs } = await open(
      browser,
      `${await startService({ auditFolder: audits })}/audits/`,
      {},
      'main',
    );
    await tab.getByRole('link', { name: HOSTILE }).waitFor();
    expect(new URL(tab.url()).pathname).toBe('/audits.html');
    expect(await tab.locator('img:not([alt=""])').count()).toBe(0);
    expect(wrongs).toEqual([]);
    await tab.getByRole('link', { name: HOSTILE }).click();
    await tab.getByText(`report ${HOSTILE.length}`).waitFor();
  });

  test('shows a long list page by page', async () => {
    const audits = join(folder, 'long');
    mkdirSync(audits);
    for (let index = 0; index < 501; index++) writeFileSync(join(audits, `site-${index}.html`), 'x');
    const { page: tab, wrongs } = await open(
      browser,
      `${await startService({ auditFolder: audits })}/audits.html`,
      {},
      'main',
    );
    await tab.getByText('Page 1 of 2, 501 reports').waitFor();
    await tab.getByRole('button', { name: 'Older' }).click();
    await tab.getByText('Page 2 of 2, 501 reports').waitFor();
    expect(await tab.locator('main li').count()).toBe(1);
    expect(wrongs).toEqual([]);
  });

  test('requests a token, and is not served without a folder', async () => {
    const audits = join(folder, 'token');
    mkdirSync(audits);
    writeFileSync(join(audits, 'shop.html'), 'x');
    const { page: tab } = await open(
      browser,
      `${await startService({ auditFolder: audits, tokens: ['sesame'] })}/audits.html`,
      {},
      'main',
    );
    await tab.getByLabel('Token', { exact: true }).fill('sesame');
    await tab.getByRole('button', { name: 'Use token' }).click();
    await tab.getByRole('link', { name: 'shop' }).waitFor();
    expect((await fetch(`${await startService({})}/audits.html`)).status).toBe(404);
  });
});
