// User actions on the page, and the state of the focus.
import type { Locator, Page } from 'playwright-core';

/** Returns the cell of a URL and a crawler, both counted from 0. */
export function cell(page: Page, row: number, column: number): Locator {
  return page.locator(`[aria-rowindex="${row + 2}"] [role=gridcell][aria-colindex="${column + 2}"]`);
}

/** Adds a URL. */
export async function add(page: Page, url: string): Promise<void> {
  await page.getByPlaceholder('Add a URL').fill(url);
  await page.keyboard.press('Enter');
}

/** Describes the focused element: a cell as `row:column`, other elements by label or text. */
export function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const { activeElement: element } = document;
    return element?.getAttribute('role') === 'gridcell'
      ? `${element.parentElement?.getAttribute('aria-rowindex')}:${element.getAttribute('aria-colindex')}`
      : (element?.shadowRoot?.activeElement?.getAttribute('aria-label') ?? element?.textContent ?? '');
  });
}

/** Whether a worker is too busy to respond immediately. */
export async function isAnyWorkerBusy(page: Page): Promise<boolean> {
  const late = new Promise<boolean>((resolve) => setTimeout(resolve, 150, true));
  const responses = page.workers().map((worker) => worker.evaluate(() => false).catch(() => false));
  return (await Promise.all(responses.map((response) => Promise.race([response, late])))).some(Boolean);
}

/** Pastes text in the same way as the clipboard. */
export function paste(target: Locator, text: string): Promise<void> {
  return target.evaluate((element, pasted) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', pasted);
    element.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true, cancelable: true }));
  }, text);
}

/** Replaces the text in the editor in the same way as typing or pasting. */
export async function write(page: Page, text: string): Promise<void> {
  await page.locator('.cm-content').focus();
  await page.keyboard.press('Control+a');
  await page.keyboard.insertText(text);
}
