import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { isAnyWorkerBusy, write } from './support/hands.ts';
import { prepareTester } from './support/tester.ts';

const FILE = `User-agent: *
Content-Usage: train-ai=n, search=y
Disallow: /cart/

User-agent: GPTBot
Content-Usage: /blog/ ai=n
Content-Signal: ai-train=yes
Disallow: /cart/

User-agent: CCBot
Disallow: /
`;

describe.skipIf(isChromiumMissing)(`the tab about AI and use${NEEDS}`, () => {
  const tester = prepareTester();
  const start = async (text: string = FILE): Promise<Page> => {
    const page = await tester.start();
    await write(page, text);
    await page.getByRole('tab', { name: 'AI and use' }).click();
    await page.locator('.preference-details').waitFor();
    return page;
  };
  const row = (page: Page, name: string) =>
    page.locator('.preference-row', { has: page.getByText(name, { exact: true }) });

  test('shows crawling and use side by side, grouped by the purpose of the crawlers', async () => {
    const page = await start();
    await row(page, 'bingbot').getByText('disallowed').waitFor();
    const cells = (name: string) => row(page, name).getByRole('gridcell').allInnerTexts();
    expect(await cells('bingbot')).toEqual(['allowed', 'allowed', 'disallowed', 'unknown']);
    expect(await cells('CCBot')).toEqual(['disallowed', ...Array(3).fill('not applicable')]);
    const training = page.getByRole('rowgroup', { name: 'Training of AI models' });
    expect(await training.getByText('GPTBot').count()).toBe(1);
    await page.getByRole('columnheader', { name: /^Crawling\s*1 disallowed/ }).waitFor();
    await page.getByText('1 of the other 8 URLs has different values:').waitFor();
    await page.locator('.other-urls').getByRole('button', { name: 'https://shop.example/cart/' }).click();
    await row(page, 'bingbot').getByText('not applicable').first().waitFor();
  });

  test('a cell explains its value, and the deciding line is marked in the editor', async () => {
    const page = await start();
    await row(page, 'bingbot').getByText('disallowed').click();
    await page.getByText('Line 2 refuses AI training for all crawlers without a group').waitFor();
    await page.locator('.cm-winner.cm-disallowed', { hasText: 'train-ai=n' }).waitFor();
    // A screen reader announces an edit that changes the value.
    await page.locator('.cm-line', { hasText: 'train-ai=n' }).click();
    await page.keyboard.press('Home');
    await page.keyboard.type('#');
    await page
      .locator('p[aria-live=polite]', { hasText: /^Now unknown: AI training, bingbot/ })
      .waitFor({ state: 'attached' });
    await page.keyboard.press('Backspace');
    await row(page, 'bingbot').getByText('disallowed').click();
    // From there by the keyboard, from cell to cell.
    await page.keyboard.press('ArrowLeft');
    await page.getByText('Line 2 allows Search for all crawlers').waitFor();
    await page.locator('.cm-winner.cm-allowed').waitFor();
    await page.keyboard.press('Control+End');
    await page.locator('.preference-details', { hasText: 'AnyOtherBot, AI answers' }).waitFor();
    // The rule that forbids crawling is the reason for a value that is not applicable.
    await row(page, 'CCBot').getByText('not applicable').first().click();
    await page.locator('.cm-winner', { hasText: /^Disallow: \/$/ }).waitFor();
    await page.getByRole('tab', { name: 'Verdicts' }).click();
    await page.locator('.cm-winner', { hasText: 'Disallow: /' }).waitFor({ state: 'detached' });
  });

  test('statements, readings and contradictions are in words', async () => {
    const page = await start();
    await row(page, 'GPTBot').getByText('disputed').last().click();
    const details = page.locator('.preference-details');
    await details.getByText('If statements for all crawlers also reach').waitFor();
    await details.getByText('allows: decides').waitFor();
    await page.getByRole('combobox', { name: 'URL', exact: true }).selectOption('https://shop.example/');
    await page.getByPlaceholder('Add a URL').fill('https://shop.example/blog/');
    await page.keyboard.press('Enter');
    await details.getByText('Two formats contradict each other:').waitFor();
    await details.getByText('labels of earlier drafts').waitFor();
    expect(await details.locator('tbody tr').first().innerText()).toMatch(/line 6.*ai=n.*refuses: decides/s);
  });

  test('other sources count, stay in the page, and are in the link', async () => {
    const page = await start('');
    await page.getByText('More sources').click();
    await page
      .getByLabel('HTML of the page')
      .fill('<p><meta name=robots content="noai"><script>alert(1)</script>');
    await page.getByText('The meta element robots refuses AI training.').waitFor();
    await page.getByLabel('Headers of the response').fill('Content-Usage: search=y');
    await row(page, 'bingbot').getByText('allowed').nth(1).waitFor();
    await page.getByLabel('tdmrep.json').fill('{}');
    await page.getByText('This is not a JSON array').waitFor();
    await page.getByText('(3 in use)').waitFor();
    await page.getByRole('button', { name: 'Share…' }).click();
    const link = await page.getByRole('dialog').getByRole('textbox').inputValue();
    const second = await tester.start({}, link, '.preference-details');
    await second.getByText('The meta element robots refuses AI training.').waitFor();
    await second.getByText('This is a request: GPTBot may still fetch the page.').waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Clear all' }).click();
    await page.getByText('Nothing is declared about AI training for GPTBot.').waitFor();
  });

  test('a hostile file does not stop the page, and leaving the tab ends the work', async () => {
    const page = await start();
    const lines = Array.from({ length: 12_000 }, (_, at) => `Content-Usage: /p${at}*a*b ai=n, search=y`);
    await write(page, `User-agent: *\n${lines.join('\n')}\nContent-Usage: train-ai=n\n`);
    await expect.poll(() => isAnyWorkerBusy(page)).toBe(true);
    // A newer text replaces the work on the older one.
    await write(page, 'User-agent: *\nContent-Signal: ai-train=yes\n');
    await page.locator('.cm-winner', { hasText: 'ai-train=yes' }).waitFor();
    await row(page, 'bingbot').getByText('allowed').nth(1).waitFor();
    await write(page, `User-agent: *\n${lines.join('\n')}\nContent-Usage: search=n\n`);
    await expect.poll(() => isAnyWorkerBusy(page)).toBe(true);
    await page.getByRole('tab', { name: 'Outage' }).click();
    await expect.poll(() => isAnyWorkerBusy(page)).toBe(false);
  });

  test('the dialog edits the file: search stays allowed, training is refused, and no verdict changes', async () => {
    const page = await start('User-agent: *\nDisallow: /cart/\n\nUser-agent: bingbot\nDisallow: /a\n');
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByRole('button', { name: 'Use current text as baseline' }).click();
    await page.getByRole('tab', { name: 'AI and use' }).click();
    await page.getByText('Nothing is declared about the use of this page').waitFor();
    await page.getByRole('button', { name: 'Keep search, refuse training…' }).click();
    const dialog = page.getByRole('dialog', { name: 'Keep search, refuse training' });
    await dialog.getByText('Proved for every URL: no crawler gains or loses access to a page.').waitFor();
    expect(
      await dialog.locator('.diff-added', { hasText: 'Content-Usage: train-ai=n, search=y' }).count(),
    ).toBe(2);
    await dialog.getByText('Rules for Google-Extended are about AI answers, too').waitFor();
    await dialog
      .getByText(/these crawlers for AI training may still fetch pages: .*GPTBot \(OpenAI\)/)
      .waitFor();
    await dialog.getByText(/Google documents that it honours Google-Extended .*2026-11-23/).waitFor();
    await dialog.getByText('promised to honour Content-Usage or Content-Signal.').waitFor();
    // By the keyboard: AI answers are refused, too.
    await dialog.getByRole('group', { name: 'AI answers' }).getByLabel('say nothing').focus();
    await page.keyboard.press('ArrowUp');
    await dialog.locator('.diff-added', { hasText: 'ai-input=no' }).first().waitFor();
    await dialog.getByLabel('Rules for Google-Extended').uncheck();
    await dialog.getByLabel('The file tdmrep.json').check();
    await dialog.getByRole('textbox', { name: 'tdmrep.json' }).waitFor();
    const download = page.waitForEvent('download');
    await dialog.getByRole('button', { name: 'Download tdmrep.json' }).click();
    expect((await download).suggestedFilename()).toBe('tdmrep.json');
    await dialog.getByRole('button', { name: 'Put into the editor' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page
      .locator('.cm-line', { hasText: 'Content-Signal: search=yes, ai-input=no, ai-train=no' })
      .first()
      .waitFor();
    for (const crawler of ['Googlebot', 'bingbot', 'AnyOtherBot'])
      await row(page, crawler).getByText('disallowed').first().waitFor();
    await page.getByRole('tab', { name: 'Compare' }).click();
    await page.getByText('No verdict of the matrix changes.').waitFor();
    await page.getByRole('tab', { name: 'AI and use' }).click();
    await page.getByRole('button', { name: 'Keep search, refuse training…' }).click();
    for (const name of ['Content-Usage lines', 'Content-Signal lines', 'Rules for Google-Extended'])
      await dialog.getByLabel(name).uncheck();
    await dialog.getByText('Choose at least one format.').waitFor();
    expect(await dialog.getByRole('button', { name: 'Put into the editor' }).isDisabled()).toBe(true);
  });

  test('the table is printed whole', async () => {
    const page = await start();
    await page.emulateMedia({ media: 'print' });
    const height = await page
      .locator('.preference-grid')
      .evaluate((each) => each.scrollHeight - each.clientHeight);
    expect(height).toBe(0);
    expect(await page.locator('.preference-details').isVisible()).toBe(true);
    expect(await page.getByPlaceholder('Add a URL').isVisible()).toBe(false);
  });
});
