// Accessibility of a page, as axe checks it.
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

const AXE = createRequire(import.meta.url).resolve('axe-core/axe.min.js');

/** The rules of axe whose results depend on the width of a page. */
export const WIDTH_RULES: readonly string[] = ['scrollable-region-focusable', 'target-size'];

/**
 * Checks that axe finds no violation in a page, and with dark colours no violation that depends on colours.
 *
 * @param state - of the page, for the message.
 * @param rules - all rules by default, of which a shown page passes many. With these, only the present colours are checked.
 */
export async function expectNoViolations(
  page: Page,
  { state, rules }: { readonly state?: string; readonly rules?: readonly string[] } = {},
): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(await readFile(AXE, 'utf8'));
  const { violations, passes } = await page.evaluate(
    async (only) =>
      (window as unknown as { axe: { run(options: object): Promise<AxeResults> } }).axe.run(
        // Of rules that a page passes, one element is enough: the selectors of all of them take most of the time.
        { resultTypes: ['violations'], ...(only !== undefined && { runOnly: only }) },
      ),
    rules,
  );
  const problems = violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target} ${failureSummary}`),
  );
  expect(problems, state).toEqual([]);
  if (rules !== undefined) return;
  expect(passes.length, state).toBeGreaterThan(15);
  await page.emulateMedia({ colorScheme: 'dark' });
  await expectNoViolations(page, { state: `${state ?? 'the page'}, dark`, rules: ['color-contrast'] });
  await page.emulateMedia({ colorScheme: 'light' });
}
