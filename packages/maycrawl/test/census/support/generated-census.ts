import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { type CensusOptions, findInputs, writeCensus } from 'maycrawl/census';
import { toMembers, writeRecord, writeResponse } from './warc.ts';

/** A capture to generate. With a location it is a redirect. */
export interface GeneratedCapture {
  readonly url: string;
  readonly status: number;
  readonly body: string;
  readonly location?: string;
  /** Only for captures without a location. */
  readonly time?: string;
}

const BODIES: readonly string[] = [
  '',
  '<!doctype html><title>x</title>',
  'User-agent: *\nDisallow: /\n',
  'User-agent: *\nDisallow:\n',
  'User-agent: GPTBot\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n',
  'User-agent: CCBot\nUser-agent: GPTBot\nDisallow: /\nAllow: /ads.txt\n',
  'User-agent: CCBot\nAllow: /\n\nUser-agent: *\nDisallow: /\n',
  'User-agent: *\nContent-Signal: search=yes, ai-train=no\nContent-Usage: train-ai=y\nAllow: /\n',
  'User-agent: *\nDisallow: /\nContent-Signal: ai-train=yes\n\nUser-agent: GPTBot\nContent-Signal: ai-train=no\n',
  '# BEGIN Cloudflare Managed content\nUser-agent: *\nContent-Signal: search=yes\nDisallow: /\n',
];

const HOSTS = [
  'a.com',
  'www.a.com',
  'b.de',
  'c.co.uk',
  'd.de:8080',
  '[2001:db8::1]',
  '192.0.2.1',
  'e.com',
  'f.com',
];
const LOCATIONS = [
  '/robots.txt',
  '/r.txt',
  'r.txt?x=1#y',
  '//b.de/robots.txt',
  'HTTPS://E.COM:443/robots.txt#top',
  'http://a.com/r.txt',
  'ftp://a.com/robots.txt',
  'http://',
];

const url = fc
  .tuple(
    fc.constantFrom('http', 'https'),
    fc.constantFrom(...HOSTS),
    fc.constantFrom('/robots.txt', '/robots.txt', '/r.txt'),
  )
  .map(([scheme, host, path]) => `${scheme}://${host}${path}`);
const response = fc.record({
  url: url.map((each) => each.replace('/r.txt', '/robots.txt')),
  status: fc.constantFrom(200, 200, 200, 200, 404, 503),
  body: fc.constantFrom(...BODIES),
  time: fc.constantFrom('2026-01-02T03:04:05Z', '2026-01-01T00:00:00Z', '2026-01-03T00:00:00Z'),
});
const redirect = fc.record({
  url,
  status: fc.constantFrom(301, 302),
  body: fc.constantFrom(...BODIES),
  location: fc.oneof(fc.constantFrom(...LOCATIONS), url),
});

/** Captures of few hosts, many of them redirects to each other. */
export const CAPTURES: fc.Arbitrary<readonly GeneratedCapture[]> = fc.array(fc.oneof(response, redirect), {
  minLength: 20,
  maxLength: 60,
});

/** Writes a census of captures to a folder. */
export async function writeGeneratedCensus(
  folder: string,
  captures: readonly GeneratedCapture[],
  options: Partial<CensusOptions> = {},
): Promise<void> {
  const inputs = `${folder}-inputs`;
  mkdirSync(inputs, { recursive: true });
  const lines = captures.filter(({ location }) => location === undefined).map((each) => JSON.stringify(each));
  writeFileSync(join(inputs, 'a.ndjson'), `${lines.join('\n')}\n`);
  const records = captures.flatMap(({ url: each, status, body, location }) =>
    location === undefined
      ? []
      : [writeRecord({ url: each, block: writeResponse(body, [`Location: ${location}`], { status }) })],
  );
  writeFileSync(join(inputs, 'b.warc.gz'), toMembers(records));
  await writeCensus(await findInputs([inputs]), {
    agents: ['GPTBot', 'CCBot', 'Googlebot'],
    profile: 'google',
    version: '0.1.0',
    threads: 0,
    folder,
    ...options,
  });
}

/** A row of a table, by the names of columns. */
export type TableRow = Readonly<Record<string, unknown>>;

/** Reads a table without DuckDB. */
export async function readTable(folder: string, table: 'captures' | 'files'): Promise<readonly TableRow[]> {
  const file = await asyncBufferFromFile(join(folder, `${table}.parquet`));
  return (await parquetReadObjects({ file })) as TableRow[];
}
