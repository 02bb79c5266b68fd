/**
 * A site with many pages, of every kind.
 *
 * @module
 */
import { type Answer, html, type Site } from '../../../../maycrawl/test/support/audit-runs.ts';

/** @param count - of its URLs. */
export function largeSite(count: number): Site {
  const origin = 'https://large.example';
  const pathOf = (number: number): string => `/department-${number % 97}/product-${number}-with-a-name`;
  const urls = Array.from({ length: count }, (_, number) => `${origin}${pathOf(number)}`);
  const answers: Record<string, Answer> = {
    [`${origin}/`]: { body: html('Large', [pathOf(0)]) },
  };
  for (const [number, url] of urls.entries()) {
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < count).map(pathOf);
    const canonical = `<link rel="canonical" href="${pathOf(number)}">`;
    const noindex = '<meta name="robots" content="noindex">';
    const page = (head: string): Answer => ({
      body: html(`Product number ${number} of the shop`, links, head),
      milliseconds: number % 2_000,
    });
    if (number < 20) answers[url] = page(canonical);
    else if (number % 13 === 0) answers[url] = { status: 301, headers: { location: pathOf(number - 1) } };
    else if (number % 17 === 0) answers[url] = { status: 404, body: html('Gone') };
    else answers[url] = page(number % 11 === 0 ? noindex : canonical);
  }
  return {
    start: `${origin}/`,
    answers,
    agents: ['Googlebot', 'GPTBot'],
    robots: `User-agent: *\nDisallow: /department-7/\n\nUser-agent: GPTBot\nDisallow: /department-1\n`,
    sitemaps: { [`${origin}/sitemap.xml`]: urls },
  };
}
