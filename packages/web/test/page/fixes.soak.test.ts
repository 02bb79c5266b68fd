import { describe, expect, test } from 'vitest';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { add, focused, write } from './support/hands.ts';
import { prepareTester } from './support/tester.ts';

const REQUIRED = { status: 401, body: {} };
const REPORT = {
  ...{ origin: 'https://a.example', policy: { kind: 'rules' }, result: 'successful', status: 200 },
  ...{ hops: [], headers: {}, events: [], content: btoa('User-agent: *\n'), bytes: 14 },
  ...{ message: null, timings: null, expiresAt: null, outage: null },
};

describe.skipIf(isChromiumMissing)(`edits of the page, and its token${NEEDS}`, () => {
  const tokens: (string | undefined)[] = [];
  const { start, expectProblems } = prepareTester(({ pathname }, { headers: { authorization } }) => {
    if (pathname === '/v1/sample') return { status: 200, body: { sitemaps: [], urls: [], others: 0 } };
    tokens.push(authorization);
    return authorization === 'Bearer secret' ? { status: 200, body: REPORT } : REQUIRED;
  });

  test('a fix keeps bytes that are not UTF-8, so that no verdict changes, and focuses the editor', async () => {
    const page = await start();
    const buffer = Buffer.from('User-agent: *\nDisallow: /\xe9\nDissallow: /a\n', 'latin1');
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({ name: 'a.txt', mimeType: 'text/plain', buffer });
    await add(page, 'https://x.example/%E9');
    const verdict = page.locator('.explanation h2');
    await verdict.filter({ hasText: 'disallowed' }).filter({ hasText: '%E9' }).waitFor();
    await page.locator('.findings summary', { hasText: '2 findings' }).click();
    await page.getByRole('button', { name: /without changing any verdict/ }).click();
    await page.locator('.findings summary', { hasText: '1 finding:' }).waitFor();
    expect(await verdict.textContent()).toContain('disallowed');
    await page.getByText('This file is not UTF-8.').waitFor();
    expect(await focused(page)).toBe('robots.txt');
  });

  test('a misspelled field is corrected on request, at all its lines', async () => {
    const page = await start();
    await write(page, 'User-agent: *\nDisllow: /a # why\nDisllow /b\n');
    await add(page, 'https://x.example/a');
    const verdict = page.locator('.explanation h2');
    await verdict.filter({ hasText: ' allowed' }).waitFor();
    await page.locator('.findings summary', { hasText: '2 errors' }).click();
    await page.getByText('Did you mean "Disallow"?').waitFor();
    await page.getByRole('button', { name: 'Correct to Disallow' }).click();
    await verdict.filter({ hasText: 'disallowed' }).waitFor();
    expect(await page.locator('.cm-line').allTextContents()).toEqual([
      'User-agent: *',
      'Disallow: /a # why',
      'Disallow: /b',
      '',
    ]);
    expect(await focused(page)).toBe('robots.txt');
  });

  test('an edit during a fix stays', async () => {
    const page = await start();
    const rules = Array.from({ length: 20_000 }, (_, index) => `Dissallow: /a${index}/*`);
    await write(page, `User-agent: *\n${rules.join('\n')}\n`);
    await page.locator('.findings summary', { hasText: '000' }).click();
    await page.locator('.cm-content').focus();
    await page.keyboard.press('Control+Home');
    // Without waiting: the fix takes longer than the next key.
    await page
      .getByRole('button', { name: /without changing any verdict/ })
      .evaluate((button: HTMLElement) => button.click());
    await page.keyboard.insertText('# an edit\n');
    await page.getByText('Nothing was fixed, because the text was edited meanwhile.').waitFor();
    await page.locator('.cm-line', { hasText: '# an edit' }).waitFor();
    await page.getByRole('button', { name: 'Dismiss' }).click();
    // Not the beginning of the page.
    expect(await page.evaluate(() => document.activeElement?.className)).toBe('notices');
  });

  test('findings that are not up to date are not shown as if they were', async () => {
    const page = await start();
    await page.locator('.findings summary', { hasText: '1 finding' }).waitFor();
    await page.route('**/proof-worker*', (route) => route.abort());
    const rules = Array.from({ length: 20_000 }, (_, index) => `Dissallow: /a${index}/*`);
    await write(page, `User-agent: *\n${rules.join('\n')}\n`);
    await expect.poll(() => page.workers().length).toBeGreaterThan(0);
    // Ends the worker that is busy with the long text.
    await page.waitForTimeout(300);
    await write(page, 'User-agent: *\n');
    await page.getByText('The findings are not up to date.').waitFor();
    expect(await page.locator('.findings summary').count()).toBe(0);
  });

  test('a URL that the list has no place for leaves the selection', async () => {
    const page = await start();
    await page.getByRole('button', { name: /^URLs…/ }).click();
    await page.locator('dialog textarea').evaluate((field: HTMLTextAreaElement) => {
      field.value = Array.from({ length: 50_000 }, (_, index) => `/${index}`).join('\n');
      field.dispatchEvent(new Event('input', { bubbles: true }));
    });
    await page.getByRole('button', { name: 'Use this list' }).click();
    await page.getByRole('button', { name: /^URLs…\s*50,000/ }).waitFor();
    await page.locator('[role=gridcell][tabindex="0"]').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await page.locator('.explanation h2', { hasText: '/2' }).waitFor();
    await add(page, '/new');
    await page.getByText('The list is too long').waitFor();
    expect(
      await page
        .locator('[role=gridcell][tabindex="0"]')
        .evaluate((cell) => cell.parentElement?.ariaRowIndex),
    ).toBe('4');
  });

  test('a token that the service refuses can be replaced', async () => {
    expectProblems(/401/);
    const page = await start({}, undefined, '.load');
    await page.getByPlaceholder('example.com/page').fill('a.example');
    await page.keyboard.press('Enter');
    const field = page.getByLabel('The service requires a token');
    await field.fill('\u201csecret\u201d');
    await page.keyboard.press('Enter');
    await page.getByText('The service does not accept this token').waitFor();
    await page.locator('input[type=password]').fill(' secret ');
    await page.keyboard.press('Enter');
    await page.getByText('https://a.example: successful').waitFor();
    expect(tokens.at(-1)).toBe('Bearer secret');
  });
});
