// Writes a run with many URLs of every kind.
import { openSqlite } from '@maycrawl/client/internal';
import { openRun } from '../../../../maycrawl/src/audit/run/open-run.ts';
import type { RunStore } from '../../../../maycrawl/src/audit/run/run-store.ts';
import { type Answer, html, makeRun, type Site } from '../../../../maycrawl/test/support/audit-runs.ts';

/** The number of URLs that are judged; the others are copies of them with other names. */
const JUDGED = 2_000;

/** Writes a run with a number of URLs. */
export async function makeLargeRun(path: string, count: number): Promise<RunStore> {
  await (await makeRun(path, createSite())).close();
  const database = await openSqlite(path);
  database.exec('create temp table originals as select key from urls');
  const { originals } = database.get<{ originals: number }>('select count(*) as originals from urls') ?? {
    originals: count,
  };
  for (let copy = 1; copy < count / originals; copy++) {
    const key = `(key + ${copy} * 1000003) % 9007199254740992`;
    const from = 'where key in (select key from originals)';
    database.exec(`insert or ignore into urls (key, hash, url, host, state, depth, tries, start, reason) select ${key}, 0, url || '/copy-${copy}', host, state, depth, tries, 0, reason
      from urls ${from}`);
    database.exec(`insert or ignore into pages select ${key}, at, milliseconds + ${copy}, bytes, status, type, title || ' ${copy}',
      digest, facts, links, texts, resources from pages ${from}`);
    database.exec(`insert or ignore into verdicts select ${key}, agent, allowed, reason, line, indexable, reasons, masked_reasons, noindex
      from verdicts ${from}`);
    database.exec(
      `insert or ignore into findings select code, agent, ${key}, severity, links, detail || ' ${copy}', targets from findings ${from}`,
    );
  }
  database.close();
  return openRun(path, 'read');
}

function createSite(): Site {
  const origin = 'https://large.example';
  const getPath = (number: number): string => `/department-${number % 97}/product-${number}-with-a-name`;
  const getResult = (number: number): Answer => {
    const links = [2 * number + 1, 2 * number + 2].filter((next) => next < JUDGED).map(getPath);
    const noindex = '<meta name="robots" content="noindex">';
    const canonical = `<link rel="canonical" href="${getPath(number)}">`;
    if (number > 20 && number % 13 === 0) return { status: 301, headers: { location: getPath(number - 1) } };
    if (number > 20 && number % 17 === 0) return { status: 404, body: html('Gone') };
    return {
      body: html(`Product number ${number} of the shop`, links, number % 11 === 0 ? noindex : canonical),
      milliseconds: number % 1_500,
    };
  };
  const numbers = Array.from({ length: JUDGED }, (_, number) => number);
  return {
    start: `${origin}/`,
    robots: 'User-agent: *\nDisallow: /department-7/\n',
    sitemaps: { [`${origin}/sitemap.xml`]: numbers.map((number) => `${origin}${getPath(number)}`) },
    answers: {
      [`${origin}/`]: { body: html('Large', [getPath(0)]) },
      ...Object.fromEntries(numbers.map((number) => [`${origin}${getPath(number)}`, getResult(number)])),
    },
  };
}
