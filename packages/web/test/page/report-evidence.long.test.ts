/** The evidence about a URL in the report of an audit. */
import type { Locator } from 'playwright-core';
import { beforeAll, describe, expect, test } from 'vitest';
import { CASES_SITE, ORIGIN } from '../../../maycrawl/test/audit/findings/cases.ts';
import { SHOP } from '../../../maycrawl/test/support/audit-site.ts';
import { writeAuditReport } from './support/audit-report.ts';
import { isChromiumMissing, NEEDS } from './support/browser.ts';
import { choose, row, shown, tab } from './support/report-hands.ts';
import { prepareReports } from './support/reports.ts';

describe.skipIf(isChromiumMissing)(`the evidence in the report of an audit${NEEDS}`, () => {
  const { write, start } = prepareReports(writeAuditReport);
  let path: string;
  let cases: string;

  beforeAll(async () => {
    path = await write('shop', SHOP);
    cases = await write('cases', CASES_SITE);
  });

  test('the evidence describes findings about the URL, with the other URLs that they are about', async () => {
    const page = await start(cases);
    const findings = page.locator('.url-findings li');
    const read = async (path: string): Promise<string[]> => {
      await page.evaluate(
        (hash) => {
          location.hash = hash;
        },
        `#/urls?${new URLSearchParams({ url: `${ORIGIN}${path}` })}`,
      );
      await page.locator('.evidence .whole', { hasText: new RegExp(`${path}$`) }).waitFor();
      return (await findings.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').trim());
    };
    expect(await read('/noindex')).toEqual([
      'error Is in a sitemap, but cannot be indexed (noindex). Remove it from the sitemap, or remove what prevents indexing.',
      'info Has noindex (noindex in a meta element, /: 1 of 42 pages). Remove the noindex where the detail says, if the page should be found.',
    ]);
    expect((await read('/title/one'))[0]).toBe(
      `warning Shares its title with other pages: ${ORIGIN}/title/two Give it a title of its own.`,
    );
    expect(await read('/language/fr')).toContain(
      `warning Names versions in other languages that do not name it in return: ${ORIGIN}/language/en Let each version name all versions.`,
    );
  });

  test('the evidence shows the robots.txt line, redirects, directives, canonicals and linking pages; a URL in it is a link', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    const evidence = page.locator('.evidence');
    const of = async (name: string): Promise<string> => {
      await page.getByLabel('Filter by URL or title').fill(name);
      await row(page, name).click();
      return (await evidence.innerText()).replaceAll(/\s+/g, ' ');
    };
    expect(await of('/cart')).toMatch(/Disallowed: .* line 2 Disallow: \/cart .* unknown, not absent/);
    expect(await of('/old')).toMatch(
      /301 → https:\/\/shop.example\/old-2 302 → https:\/\/shop.example\/about /,
    );
    expect(await of('/loop-a')).toContain('Redirects into a loop: after 2 redirects');
    expect(await of('/members')).toContain('meta tag for all: noindex, follow');
    expect(await of('/late')).toContain('X-Robots-Tag header for all: unavailable_after: 1 Jan 2020');
    expect(await of('/both')).toMatch(/conflict, all are ignored: .*\/about .*\/products\/1/);
    expect(await of('/down')).toContain('Does not respond: the response took too long (it failed: timeout).');
    expect(await of('/about')).toMatch(/linked from (\d+ pages|one page)/);
    expect(await of('/search')).toContain('line 4 Allow: /search$');
    await of('/old');
    await evidence.getByRole('button', { name: 'https://shop.example/about' }).click();
    await evidence.getByText('About us').waitFor();
    await page.getByRole('button', { name: 'Close' }).click();
    expect(await evidence.count()).toBe(0);
  });

  test('the evidence lists links with their texts, and blocked resources; a finding counts the pages of each resource', async () => {
    const page = await start(cases);
    const finding = page.locator('details.finding', { hasText: 'scripts or stylesheets' });
    await finding.locator('summary').first().click();
    const first = finding.locator('.resources li').first();
    await first.getByText('/blocked/app.js').waitFor();
    await first.getByText('script, blocked by line 2 for 2 pages').waitFor();
    await finding.getByRole('button', { name: 'Show 2 URLs in the table' }).click();
    expect(await shown(page)).toEqual(['/resources/many', '/resources/same']);
    await row(page, '/resources/many').click();
    const getFact = (name: string): Locator =>
      page.locator('.evidence .facts > div').filter({ has: page.locator('dt', { hasText: name }) });
    await getFact('Blocked resources').getByText(`${ORIGIN}/blocked/site.css`).waitFor();
    await getFact('Found by').getByText('linked from one page').waitFor();
    const open = async (path: string): Promise<void> => {
      await page.getByRole('button', { name: 'Clear filter' }).click();
      await page.getByLabel('Filter by URL or title').fill(path);
      await row(page, path).click();
    };
    await open('/good');
    const link = getFact('Found by').locator('.link-item').first();
    expect(await link.textContent()).toBe(`“link” “Our logo” ${ORIGIN}/`);
    await link.getByRole('button').click();
    await getFact('Links to')
      .getByText(/^\d\d URLs$/)
      .waitFor();
    await getFact('Links to').getByRole('button', { name: 'Show' }).click();
    expect(await getFact('Links to').locator('.link-item').count()).toBeGreaterThan(20);
    await page.getByLabel('Crawler').selectOption('bingbot');
    await open('/behind-bing');
    expect(await getFact('Found by').textContent()).not.toContain('not followed');
    await page.getByLabel('Crawler').selectOption('Googlebot');
    await getFact('Found by').getByText('(not followed)').waitFor();
  });

  test('another crawler has other verdicts', async () => {
    const page = await start(path);
    await tab(page, 'URLs');
    await page.getByLabel('Crawler').selectOption('GPTBot');
    await choose(page, 'Verdict', 'hidden');
    await row(page, '/products/1?sort=price').click();
    await page.getByText('Without the block it would be: canonicalised').waitFor();
    await page.locator('.evidence dd', { hasText: 'Googlebot canonicalised' }).waitFor();
  });
});
