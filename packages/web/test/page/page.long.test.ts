import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { parse as parseYaml } from 'yaml';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { add, cell, focused, isAnyWorkerBusy, paste, write } from './support/hands.ts';
import { prepareTester } from './support/tester.ts';

describe.skipIf(isChromiumMissing)(`the page${NEEDS}`, () => {
  const { start } = prepareTester();

  test('shows the sample, its verdicts and their reasons', async () => {
    const page = await start();
    await page.getByText('Line 12, "Allow: /private/press/", is the longest matching rule.').waitFor();
    expect(await page.locator('.cm-winner').textContent()).toBe('Allow: /private/press/');
    expect(await page.locator('.cm-overridden').allInnerTexts()).toEqual(['Disallow: /private']);
    expect(await page.locator('.candidates tbody tr').allInnerTexts()).toEqual([
      'line 12\tAllow: /private/press/\t15\twins: the longest pattern',
      'line 11\tDisallow: /private\t8\tloses: shorter',
    ]);
    // Without a service, the page shows no control that needs one.
    expect(await page.getByRole('button', { name: 'Load from site' }).count()).toBe(0);
  });

  test('judges while the user types', async () => {
    const page = await start();
    await write(page, '');
    await page.keyboard.type('User-agent: *\nDisallow: /private/press\n');
    await cell(page, 0, 0).getByText('disallowed').waitFor();
    await cell(page, 1, 0).getByText('allowed', { exact: true }).waitFor();
    await page.locator('.cm-line', { hasText: 'Disallow: /private/press' }).waitFor();
    await page.locator('.cm-winner', { hasText: 'Disallow: /private/press' }).waitFor();
    // A screen reader announces it once.
    expect(await page.locator('p[aria-live=polite]').textContent()).toMatch(/^Now disallowed: Googlebot/);
  });

  test('accepts single URLs, a pasted list and a sitemap', async () => {
    const page = await start();
    await add(page, 'https://shop.example/private/x');
    await page.locator('.cell-name', { hasText: 'https://shop.example/private/x' }).waitFor();
    expect(await page.locator('.explanation h2 .verdict').textContent()).toBe('disallowed');
    await paste(page.locator('.add input'), 'https://shop.example/1\nhttps://shop.example/2\n');
    await page.getByRole('button', { name: 'URLs… 12' }).click();
    const sitemap = '<urlset><url><loc>https://shop.example/from?a=1&amp;b=2</loc></url></urlset>';
    const chooser = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Open a list or sitemap…' }).click();
    await (await chooser).setFiles({
      name: 'sitemap.xml',
      mimeType: 'text/xml',
      buffer: Buffer.from(sitemap),
    });
    await page.getByRole('button', { name: 'URLs… 1', exact: true }).waitFor();
    await page.locator('.cell-name', { hasText: '/from?a=1&b=2' }).waitFor();
  });

  test('judges for any crawler', async () => {
    const page = await start();
    await page.getByRole('button', { name: /Crawlers…/ }).click();
    await page.getByRole('checkbox', { name: /^AdsBot-Google obeys only/ }).check();
    await page.getByLabel('Other product tokens').fill('MyBot, not!a!token');
    await page.getByRole('button', { name: 'Use these' }).click();
    await page.getByText('“not!a!token” is not a valid product token').waitFor();
    await page.getByLabel('Other product tokens').fill('MyBot');
    await page.getByRole('button', { name: 'Use these' }).click();
    await page.getByRole('columnheader', { name: /MyBot/ }).waitFor();
    expect(await page.locator('.matrix [role=columnheader]').count()).toBe(1 + 6);
  });

  test('finds crawlers by purpose and operator', async () => {
    const page = await start();
    await page.getByRole('button', { name: /Crawlers…/ }).click();
    const dialog = page.getByRole('dialog', { name: 'Crawlers' });
    const training = dialog.getByRole('group', { name: 'Training of AI models' });
    await training.getByRole('checkbox', { name: 'ClaudeBot Anthropic' }).check();
    expect(await training.getByRole('checkbox', { name: /^AI2Bot / }).isVisible()).toBe(false);
    await training.getByText(/^\d+ more$/).click();
    await training.getByRole('checkbox', { name: /^AI2Bot / }).check();
    await dialog.getByLabel('Find a crawler or an operator').fill('openai');
    expect(await dialog.getByRole('checkbox').count()).toBe(4);
    await dialog.getByRole('checkbox', { name: /^OAI-AdsBot / }).check();
    await dialog.getByLabel('Find a crawler or an operator').fill('no such crawler');
    await dialog.getByText('No crawler of the catalogue has this name.').waitFor();
    await page.getByRole('button', { name: 'Use these' }).click();
    for (const name of ['ClaudeBot', 'AI2Bot', 'OAI-AdsBot'])
      await page.getByRole('columnheader', { name: new RegExp(`^${name}`) }).waitFor();
    expect(await page.locator('.matrix [role=columnheader]').count()).toBe(1 + 8);
  });

  test('prints all rows of the matrix, and no controls', async () => {
    const page = await start();
    await page.getByPlaceholder('Add a URL').evaluate((field) => (field as HTMLInputElement).focus());
    await paste(
      page.getByPlaceholder('Add a URL'),
      Array.from({ length: 60 }, (_, at) => `/p/${at}`).join('\n'),
    );
    const rows = page.locator('.matrix-body [role=row]');
    await page.getByRole('button', { name: /^URLs…\s*69/ }).waitFor();
    expect(await rows.count()).toBeLessThan(69);
    await page.emulateMedia({ media: 'print' });
    await page.evaluate(() => dispatchEvent(new Event('beforeprint')));
    await rows.nth(68).waitFor();
    expect(await page.getByRole('button', { name: /^(?:Share|Download|Fix|URLs)/ }).count()).toBe(0);
    await page.evaluate(() => dispatchEvent(new Event('afterprint')));
    await page.emulateMedia({ media: 'screen' });
    await page.getByRole('button', { name: 'Share…' }).waitFor();
  });

  test('lists findings with the same message as one, and fixes them together', async () => {
    const page = await start();
    await write(page, 'User-agent: *\nDisallow: /x\nDisallow: /x/a\nDisallow: /x/b\nDisallow: /x/c\n');
    await page.locator('.findings summary', { hasText: '3 findings: 3 info' }).click();
    expect(await page.locator('.findings li').count()).toBe(1);
    await page.getByRole('button', { name: 'Fix lines 3-5' }).click();
    await page.getByText('No findings').waitFor();
  });

  test('judges under another profile', async () => {
    const page = await start();
    await write(page, 'User-agent: *\nDisalow: /private');
    await cell(page, 0, 0).getByText('disallowed').waitFor();
    await page.getByRole('combobox', { name: /^Profile/ }).selectOption('rfc9309');
    await cell(page, 0, 0).getByText('allowed', { exact: true }).waitFor();
    await page.locator('.findings summary').click();
    await page.getByText('"Disalow" is not a field name, so crawlers ignore the line').first().waitFor();
  });

  test('refuses a file that is too long for the editor, with a message', async () => {
    const page = await start();
    await page.locator('.cm-content').focus();
    await paste(page.locator('.cm-content'), 'x'.repeat(1024 * 1024));
    await page.getByText('The text is too long').waitFor();
    await page.locator('.cm-line', { hasText: 'small shop' }).waitFor();
  });

  test('shows findings in the margin, on hover and in a list, and fixes them', async () => {
    const page = await start();
    await page.locator('.cm-lint-marker-warning').hover();
    await page
      .locator('.cm-tooltip', { hasText: '"Dissallow" is a misspelling that Google reads as "Disallow"' })
      .waitFor();
    await page.locator('.findings summary', { hasText: '1 finding: 1 warning' }).click();
    await page.getByRole('button', { name: 'line 13', exact: true }).click();
    await page.getByRole('button', { name: 'Fix line 13' }).click();
    await page.getByText('No findings').waitFor();
    await page.locator('.cm-line', { hasText: /^Disallow: \/tmp/ }).waitFor();
    // The fix is an edit that can be undone.
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+z');
    await page.locator('.cm-line', { hasText: 'Dissallow: /tmp/' }).waitFor();
  });

  test('compares with the previous file, for all URLs and for the listed ones', async () => {
    const page = await start();
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('The files are identical.').waitFor();
    await page.getByText('No verdict of the matrix changes.').waitFor();
    await write(page, 'User-agent: *\nDisallow: /cart/\nDisallow: /new');
    await page.getByText('Verdicts change.').waitFor();
    await page
      .locator('.group', { hasText: 'GPTBot' })
      .locator('tr', { hasText: '▲ newly allowed' })
      .first()
      .waitFor();
    await page.locator('tr', { hasText: '▼ newly blocked' }).filter({ hasText: '/new' }).first().waitFor();
    const listed = page.getByRole('region', { name: 'For the listed URLs' });
    await listed.locator('tr', { hasText: 'https://shop.example/private/report' }).first().waitFor();
    await page.getByRole('button', { name: 'Use current text as baseline' }).click();
    await page.getByText('The files are identical.').waitFor();
    await page.getByRole('combobox', { name: /^Profile/ }).selectOption('rfc9309');
    await page.getByText('The files are identical.').waitFor();
  });

  test('compares what the files declare about the use of content', async () => {
    const page = await start();
    await page.getByRole('tab', { name: 'Compare' }).click();
    const group = 'User-agent: *\nDisallow: /cart/\n';
    await write(page, `${group}Content-Usage: train-ai=n\n`);
    await page.getByRole('button', { name: 'Use current text as baseline' }).click();
    await page.getByText('The files are identical.').waitFor();
    const declarations = page.getByRole('region', { name: 'Preferences about the use of content' });
    expect(await declarations.count()).toBe(0);
    await write(page, `${group}Content-Usage: train-ai=y\n`);
    await declarations.getByText('Declarations change.').waitFor();
    await page.getByText(/^The verdicts are the same for every crawler and URL\. Other records/).waitFor();
    const cells = await declarations
      .locator('tbody tr', { hasText: 'AI training' })
      .locator('td')
      .allInnerTexts();
    expect(cells.slice(0, 4)).toEqual([
      'AI training',
      '/',
      'disallowed, line 3: Content-Usage: train-ai=n',
      'allowed, line 3: Content-Usage: train-ai=y',
    ]);
    expect(cells[4]).toMatch(/^GPTBot and \d+ more/);
    await write(
      page,
      `User-agent: *\nContent-Usage: train-ai=n\nDisallow: /cart/\nContent-Usage: / train-ai=n\n`,
    );
    await declarations.getByText('The declarations are written differently, with the same effect').waitFor();
    expect(await declarations.locator('tbody tr').count()).toBe(0);
  });

  test('a newer comparison cancels a slow one', async () => {
    const page = await start();
    await page.getByRole('tab', { name: 'Compare' }).click();
    const entangled = (seed: number): string =>
      Array.from(
        { length: 60 },
        (_, index) =>
          `${index % 2 ? 'Allow' : 'Disallow'}: /*${'abcdefgh'[(index * seed) % 8]}*${index}*x${seed}*y`,
      ).join('\n');
    await write(page, `User-agent: *\n${entangled(3)}`);
    // On a busy machine a worker also responds late when it does something else.
    const comparison = page.locator('section[aria-labelledby="all-urls"][aria-busy="true"]');
    let late = 0;
    const countLate = async (): Promise<number> => {
      late = (await comparison.count()) > 0 && (await isAnyWorkerBusy(page)) ? late + 1 : 0;
      return late;
    };
    await expect.poll(countLate).toBeGreaterThanOrEqual(4);
    const ended = Promise.race(page.workers().map((worker) => worker.waitForEvent('close')));
    await write(page, 'User-agent: *\nDisallow: /only-this');
    await ended;
    await page.locator('.group', { hasText: '/only-this' }).first().waitFor();
  });

  test('shows the effect of an outage as a drawing and in words', async () => {
    const page = await start();
    await page.getByRole('tab', { name: 'Outage' }).click();
    const google = page.locator('.simulation.in-use');
    expect(await google.locator('li').allInnerTexts()).toEqual([
      'At first: All URLs are disallowed.',
      'After 12 hours: The rules of the last response still apply.',
      'After 30 days: The outage policy allows all URLs.',
      'After 40 days: The rules of the robots.txt apply.',
    ]);
    expect(await google.locator('rect.interval').count()).toBe(4);
    const amazon = page.locator('.simulation', { hasText: 'Amazon' });
    // The page loads the catalogue late.
    await amazon.waitFor();
    expect(await amazon.locator('li').allInnerTexts()).toEqual([
      'At first: The rules of the last response still apply.',
      'After 30 days: The outage policy allows all URLs.',
      'After 40 days: The rules of the robots.txt apply.',
    ]);
    await page.getByLabel(/^The result of fetching/).selectOption('429 Too Many Requests');
    await page.getByLabel('for', { exact: true }).fill('3');
    await page.getByLabel('Unit of time').selectOption('hours');
    await page.getByRole('combobox', { name: /^Profile/ }).selectOption('rfc9309');
    await page.locator('.simulation.in-use figcaption', { hasText: 'rfc9309' }).waitFor();
    expect(await page.locator('.simulation.in-use li').allInnerTexts()).toEqual([
      'At first: The site has no robots.txt, so all URLs are allowed.',
      'After 1 day: The rules of the robots.txt apply.',
    ]);
  });

  test('shows what is documented about a crawler, with sources', async () => {
    const page = await start();
    const facts = page.locator('.operator-facts');
    await facts.locator('summary').click();
    await facts.getByText('It ignores Crawl-delay.').waitFor();
    expect(await facts.innerText()).toContain('Operator: Google.');
    expect(await facts.locator('a').first().getAttribute('href')).toMatch(/^https:/);
  });

  test('shares the whole state in a link, without a request to the server', async () => {
    const page = await start({ permissions: ['clipboard-read', 'clipboard-write'] });
    await write(page, 'User-agent: *\nDisallow: /shared-☃');
    await add(page, '/shared-%E2%98%83/x');
    await page.getByRole('button', { name: 'Share…' }).click();
    await page.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.getByText('Copied.').waitFor();
    const link = await page.evaluate(() => navigator.clipboard.readText());
    expect(link.split('#')[0]).toBe(page.url().split('#')[0]);
    const second = await start({}, link);
    await second.locator('.cm-winner', { hasText: 'Disallow: /shared-☃' }).waitFor();
    await second.locator('.cell-name', { hasText: '/shared-%E2%98%83/x' }).waitFor();
  });

  test('downloads the file, and a test file that the command accepts', async () => {
    const page = await start();
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Download' }).click();
    const file = await (await download).path();
    expect(await readFile(file, 'utf8')).toMatch(/^# The robots.txt of a small shop.\nUser-agent: \*\n/);
    await page.getByRole('button', { name: 'Test file…' }).click();
    const text = await page.getByRole('textbox', { name: 'Test file' }).inputValue();
    expect(parseYaml(text)[0]).toMatchObject({
      agent: 'Googlebot',
      allow: expect.arrayContaining(['https://shop.example/private/press/2026']),
      block: expect.arrayContaining(['https://shop.example/private/report']),
    });
  });

  test('can be used by keyboard alone', async () => {
    const page = await start();
    const tabTo = async (target: string | RegExp): Promise<void> => {
      for (let steps = 0; steps < 30; steps++) {
        await page.keyboard.press('Tab');
        const now = await focused(page);
        if (typeof target === 'string' ? now === target : target.test(now)) return;
      }
      throw new Error(`Tab does not reach ${target}`);
    };
    await tabTo('robots.txt');
    await page.keyboard.press('Control+Home');
    await page.keyboard.type('User-agent: Googlebot\nDisallow: /zzz\n\n');
    // Tab leaves the editor, so it is not a keyboard trap.
    await tabTo('Verdicts');
    await tabTo('2:2');
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowDown');
    await page.locator('[aria-rowindex="3"] [aria-colindex="3"][aria-selected=true]').waitFor();
    expect(await focused(page)).toBe('3:3');
    await page.keyboard.press('Control+End');
    await page.locator('[aria-rowindex="10"] [aria-colindex="6"][aria-selected=true]').waitFor();
    expect(await focused(page)).toBe('10:6');
    await page.keyboard.press('Control+Home');
    await page.locator('[aria-rowindex="2"] [aria-colindex="2"][aria-selected=true]').waitFor();
    // Next is the explanation: its lines are buttons that move the focus to the editor.
    await tabTo(/^line 15$/);
    await page.keyboard.press('Enter');
    expect(await focused(page)).toBe('robots.txt');
    await tabTo('Verdicts');
    await page.keyboard.press('ArrowRight');
    expect(await focused(page)).toBe('AI and use');
    await page.keyboard.press('ArrowRight');
    await page.getByText('Verdicts change.').or(page.getByText('Only formatting changed')).waitFor();
    expect(await focused(page)).toBe('Compare');
    await page.keyboard.press('Home');
    await tabTo(/^Crawlers…/);
    await page.keyboard.press('Enter');
    await page.getByRole('dialog', { name: 'Crawlers' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    expect(await focused(page)).toMatch(/^Crawlers…/);
  });
});
