/** `maycrawl preferences`, with files and with a site. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../../../client/test/support/server.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-preferences-'));
const requests: string[] = [];
let site: TestServer;

const TDMREP = { status: 200, type: 'application/json', body: '[{"location":"/open/","tdm-reservation":1}]' };
let tdmrep = TDMREP;

const ROBOTS = `User-agent: *
Content-Usage: train-ai=n, search=y
Content-Usage: /open/ train-ai=y
Disallow: /closed/

User-agent: Google-Extended
Disallow: /
`;

function writeFile(name: string, content: string): string {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
}

const ROBOTS_FILE = writeFile('robots.txt', ROBOTS);

beforeAll(async () => {
  site = await serve((request, response) => {
    requests.push(request.url ?? '');
    if (request.url === '/robots.txt') response.end(ROBOTS);
    else if (request.url === '/.well-known/tdmrep.json')
      response.writeHead(tdmrep.status, { 'content-type': tdmrep.type }).end(tdmrep.body);
    else if (request.url === '/moved') response.writeHead(302, { location: '/there' }).end();
    else if (request.url === '/failing') response.writeHead(503).end();
    else {
      response.setHeader('Content-Type', 'text/html');
      response.setHeader('Content-Usage', 'ai-use=n');
      response.end(
        '<meta name="robots" content="noimageai"><meta name="GPTBot" content="noai"><title>A</title>',
      );
    }
  });
});
afterAll(async () => {
  rmSync(folder, { recursive: true });
  await site.close();
});

interface Report {
  readonly agent: string;
  readonly purposes: Record<string, { value: string; statements: { source: string; label: string }[] }>;
  readonly conflicts: readonly object[];
  readonly problems: readonly object[];
}

/** Runs the command, and returns its reports. */
async function readReports(
  ...args: string[]
): Promise<{ code: number | null; reports: Report[]; stderr: string }> {
  const { code, stdout, stderr } = await runHere(['preferences', ...args, '--json', '--database', 'none']);
  const lines = stdout.trimEnd().split('\n');
  return { code, stderr, reports: lines.filter((line) => line !== '').map((line) => JSON.parse(line)) };
}

const getValues = ({ purposes }: Report): Record<string, string> =>
  Object.fromEntries(Object.entries(purposes).map(([purpose, { value }]) => [purpose, value]));

describe('files', () => {
  const robots = ROBOTS_FILE;

  test('all sources can be given, and nothing is requested', async () => {
    const { code, reports, stderr } = await readReports(
      ...['https://example.com/open/x', '--robots', robots, '--header', 'X-Robots-Tag: noai', '--agent', 'a'],
      ...['--html', writeFile('page.html', '<meta name=tdm-reservation content=0>')],
      ...['--tdmrep', writeFile('tdmrep.json', '[]')],
      ...[
        '--rsl',
        writeFile(
          'l.xml',
          '<rsl><content url="/"><license><permits type="usage">search</permits></license></content></rsl>',
        ),
      ],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(reports).toHaveLength(1);
    expect(getValues(reports[0] as Report)).toEqual({
      search: 'allowed',
      'ai-train': 'disallowed',
      'ai-input': 'disallowed',
      tdm: 'allowed',
    });
    expect(reports[0]?.problems).toEqual([]);
    expect(reports[0]?.conflicts[0]).toMatchObject({ code: 'formats-disagree', purpose: 'ai-train' });
  });

  test('--html reads the RSL documents and licences of the page', async () => {
    const html = `<link rel="license" type="application/rsl+xml" href="/l.xml"><script type="application/rsl+xml">
      <rsl><content url=""><license><prohibits type="usage">ai-input</prohibits></license></content></rsl></script>`;
    const file = writeFile('rsl.html', html);
    const { reports } = await readReports(
      'https://example.com/',
      '--offline',
      '--robots',
      robots,
      '--html',
      file,
    );
    expect(reports[0]?.purposes['ai-input']).toMatchObject({
      value: 'disallowed',
      format: 'rsl',
      statements: [{ source: 'html', label: 'ai-input' }],
    });
    expect(reports[0]).toMatchObject({
      licenses: [{ url: 'https://example.com/l.xml', source: 'html', line: null }],
    });
  });

  test('--offline requests nothing', async () => {
    const { code, reports } = await readReports('https://example.com/', '--robots', robots, '--offline');
    expect(code).toBe(0);
    expect(reports[0]).toMatchObject({ agent: 'GPTBot', crawl: 'allowed', problems: [] });
    expect(reports[0]?.purposes['ai-train']).toMatchObject({
      value: 'disallowed',
      format: 'content-usage',
      line: 2,
      readings: { grouped: 'disallowed', global: 'disallowed' },
    });
  });

  test('a disallowed URL has no preferences, and the page is not requested', async () => {
    const { reports, stderr } = await readReports(`${site.origin}/closed/`, '--robots', robots);
    expect(stderr).toBe('');
    expect(new Set(Object.values(getValues(reports[0] as Report)))).toEqual(new Set(['not-applicable']));
    expect(requests).toEqual([]);
  });

  test('a further policy token', async () => {
    const file = writeFile('token.txt', 'User-agent: Train-Token\nDisallow: /\n');
    const { reports } = await readReports(
      ...['https://example.com/', '--robots', file, '--offline', '--policy-token', 'Train-Token'],
    );
    expect(reports[0]?.purposes['ai-train']).toMatchObject({
      value: 'disallowed',
      format: 'policy-token',
      line: 2,
    });
  });
});

describe('policy tokens of a file', () => {
  const record = {
    ...{ token: 'Train-Token', operator: 'Example', kind: 'policy-token', purposes: ['ai-input'] },
    ...{ robotsTxt: 'obeys', description: 'Decides about answers.', sources: [] },
  };
  const robots = writeFile(
    'tokens.txt',
    'User-agent: Train-Token\nDisallow: /\n\nUser-agent: Google-Extended\nDisallow: /\n',
  );
  const writeCrawlers = (changes: object): string =>
    writeFile('crawlers.json', JSON.stringify({ crawlers: [{ ...record, ...changes }] }));
  const read = async (changes: object, agent: string): Promise<unknown[]> => {
    const { code, reports, stderr } = await readReports(
      ...['https://example.com/', '--robots', robots, '--offline', '--agent', agent],
      ...['--crawlers', writeCrawlers(changes)],
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    return ['ai-train', 'ai-input'].map((purpose) => reports[0]?.purposes[purpose]?.value);
  };

  test('a token is about all crawlers, or those that it governs; the known ones are read, too', async () => {
    expect(await read({}, 'bingbot')).toEqual(['unknown', 'disallowed']);
    expect(await read({ governs: ['bingbot'] }, 'bingbot')).toEqual(['unknown', 'disallowed']);
    expect(await read({ governs: ['a'] }, 'bingbot')).toEqual(['unknown', 'unknown']);
    expect(await read({ governs: ['a'] }, 'Googlebot')).toEqual(['disallowed', 'disallowed']);
  });

  test('a record replaces a known token', async () => {
    expect(await read({ token: 'google-extended', governs: ['bingbot'] }, 'Googlebot')).toEqual([
      'unknown',
      'unknown',
    ]);
  });
});

describe('a site', () => {
  test('its robots.txt, page and tdmrep.json are requested', async () => {
    requests.length = 0;
    const { code, reports } = await readReports(
      `${site.origin}/open/x`,
      '--agent',
      'GPTBot',
      '--agent',
      'Googlebot',
    );
    expect(code).toBe(0);
    expect(requests.sort()).toEqual(['/.well-known/tdmrep.json', '/open/x', '/robots.txt']);
    expect(reports.map(({ agent }) => agent)).toEqual(['GPTBot', 'Googlebot']);
    expect(reports.map(getValues)).toEqual([
      {
        ...{ search: 'unknown', 'ai-train': 'disallowed', 'ai-input': 'disallowed' },
        ...{ tdm: 'disallowed', 'ai-train-images': 'disallowed' },
      },
      {
        ...{ search: 'unknown', 'ai-train': 'disallowed', 'ai-input': 'disallowed' },
        ...{ tdm: 'disallowed', 'ai-train-images': 'disallowed' },
      },
    ]);
    expect(
      reports[0]?.purposes['ai-train']?.statements.map((each) => `${each.source} ${each.label}`),
    ).toEqual(['tdmrep.json tdm-reservation', 'robots.txt train-ai', 'meta noai']);
  });

  test.each([
    ['/moved', 'it redirects to /there (status 302)'],
    ['/failing', 'status 503'],
  ])('%s: a page that is not read is reported, and the answer is not complete', async (path, message) => {
    const { code, reports, stderr } = await readReports(`${site.origin}${path}`);
    expect(code).toBe(2);
    expect(reports[0]?.problems).toEqual([{ source: 'page', url: `${site.origin}${path}`, message }]);
    expect(stderr).toContain(message);
    // The robots.txt was read.
    expect(reports[0]?.purposes['ai-train']).toMatchObject({ value: 'disallowed', line: 2 });
  });

  test.each([
    [
      { status: 200, type: 'application/json', body: '{"tdm-reservation":1}' },
      'it is not a JSON array, so it declares nothing',
    ],
    [
      { status: 200, type: 'text/plain', body: '[{"location"' },
      'it is not a JSON array, so it declares nothing',
    ],
    [
      { status: 200, type: 'application/json', body: `[${' '.repeat(1_000_000)}]` },
      'it has more than 1000000 bytes',
    ],
    [{ status: 500, type: 'text/plain', body: '' }, 'status 500'],
    [{ status: 404, type: 'text/plain', body: '' }, null],
    [{ status: 410, type: 'text/plain', body: '' }, null],
    // Many sites answer every path with their start page.
    [{ status: 200, type: 'text/html; charset=utf-8', body: '<!doctype html>' }, null],
  ])('tdmrep.json, response %#', async (response, message) => {
    tdmrep = response;
    try {
      const { code, reports } = await readReports(`${site.origin}/open/x`);
      const url = `${site.origin}/.well-known/tdmrep.json`;
      expect(reports[0]?.problems).toEqual(message === null ? [] : [{ source: 'tdmrep.json', url, message }]);
      expect(code).toBe(message === null ? 0 : 2);
      expect(getValues(reports[0] as Report)).not.toHaveProperty('tdm');
    } finally {
      tdmrep = TDMREP;
    }
  });

  test('for people', async () => {
    const { stdout } = await runHere(`preferences ${site.origin}/ --database none --agent bingbot`);
    expect(stdout.replaceAll(site.origin, 'https://example.com')).toMatchInlineSnapshot(`
      "https://example.com/  bingbot  crawling allowed
        search           allowed         line 2: Content-Usage: train-ai=n, search=y
        ai-train         disallowed      line 2: Content-Usage: train-ai=n, search=y
        ai-input         disallowed      header, content-usage: ai-use=n
        ai-train-images  disallowed      meta, robots: noimageai
        a refusal is a request: bingbot may still fetch the URL. No operator is known to have promised to honour Content-Usage or the directives of the page.
      "
    `);
  });
});

test.each([
  [['https://example.com/', '--header', 'foo'], '--header "foo": give NAME: VALUE'],
  [['x'], '"x" has no robots.txt: give an absolute http, https or ftp URL, such as https://example.com/page'],
  [[], 'missing required argument'],
  [['https://example.com/', '--policy-token', 'a b'], '--policy-token "a b": give a product token'],
  [['https://example.com/', '--tdmrep', '/does/not/exist'], 'cannot read /does/not/exist'],
  [['https://example.com/', '--crawlers', '/does/not/exist'], 'cannot read /does/not/exist'],
  [['https://example.com/', '--crawlers', ROBOTS_FILE], 'robots.txt: Unexpected token'],
  [
    ['https://example.com/', '--rsl', ROBOTS_FILE],
    'robots.txt: give an RSL document: XML with an element "rsl"',
  ],
])('%j fails with one line and exit code 2', async (args, message) => {
  const { code, stdout, stderr } = await runHere(['preferences', ...args]);
  expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
  expect(stderr).toContain(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a file of --tdmrep that is not a JSON array is a problem of the report, as one of a site is', async () => {
  const args = ['https://example.com/', '--robots', ROBOTS_FILE, '--tdmrep', ROBOTS_FILE, '--offline'];
  const { code, stdout, stderr } = await runHere(['preferences', ...args, '--json']);
  const message = 'it is not a JSON array, so it declares nothing';
  expect(JSON.parse(stdout)).toMatchObject({
    crawl: 'allowed',
    problems: [{ source: 'tdmrep.json', url: ROBOTS_FILE, message }],
  });
  expect({ code, stderr }).toEqual({ code: 2, stderr: `maycrawl: ${ROBOTS_FILE}: ${message}\n` });
  const text = await runHere(['preferences', ...args]);
  expect(text.stdout).toContain(`not read: ${ROBOTS_FILE} (${message})`);
});

test('a document of --rsl and one in the page that are not well-formed are read as far as possible, and are problems', async () => {
  const refusal = (usage: string): string =>
    `<rsl><content url="/"><license>\n<prohibits type="usage">${usage}</license></content></rsl>`;
  const rsl = writeFile('malformed.xml', `<!DOCTYPE rsl []>${refusal('ai-train')}`);
  const html = writeFile(
    'malformed.html',
    `<head><script type="application/rsl+xml">${refusal('search')}</script></head>`,
  );
  const args = ['--offline', '--robots', '/dev/null', '--rsl', rsl, '--html', html, '--agent', 'a', '--json'];
  const { code, stdout, stderr } = await runHere(['preferences', 'https://example.com/', ...args]);
  const { purposes, problems } = JSON.parse(stdout) as Report;
  expect(code).toBe(2);
  expect([purposes['ai-train']?.value, purposes['search']?.value]).toEqual(['disallowed', 'disallowed']);
  const message = 'line 2: the element prohibits has no end tag';
  expect(problems).toEqual([
    { source: 'rsl', url: rsl, message },
    { source: 'page', url: html, message: `script: ${message}` },
  ]);
  expect(stderr).toBe(`maycrawl: ${rsl}: ${message}\nmaycrawl: ${html}: script: ${message}\n`);
});
