// User actions on the report of an audit.
import type { Locator, Page } from 'playwright-core';

/** Returns the row of a URL. @param path - the part of the URL that the table shows. */
export function row(page: Page, path: string): Locator {
  const url = page.locator('.url', { hasText: new RegExp(`^${path.replace('?', '\\?')}$`) });
  return page.getByRole('row').filter({ has: url });
}

/** Chooses a value of a filter. */
export async function choose(page: Page, label: string, value: string): Promise<void> {
  await page.getByLabel(label, { exact: true }).selectOption(value);
}

/** Opens a tab. */
export function tab(page: Page, name: string): Promise<void> {
  return page.getByRole('tab', { name, exact: true }).click();
}

/** Returns the URLs of the shown rows. */
export function shown(page: Page): Promise<string[]> {
  return page.locator('.row .url').evaluateAll((cells) => cells.map(({ textContent }) => textContent ?? ''));
}
