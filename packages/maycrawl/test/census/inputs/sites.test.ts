import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { Resolver } from '@maycrawl/client/internal';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import {
  type CensusOptions,
  type CensusSummary,
  createSiteInputs,
  mergeCensus,
  readSiteList,
  slicePaths,
  writeCensus,
} from 'maycrawl/census';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { serve, serveRaw, type TestServer } from '../../../../client/test/support/server.ts';
import {
  type FetchedSite,
  fetchSites,
  type SiteOptions,
} from '../../../src/census/inputs/sites/fetch-sites.ts';
import { createSpacedResolver } from '../../../src/census/inputs/sites/spaced-resolver.ts';
import { run } from '../../support/run.ts';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-sites-'));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
const start = async (starting: Promise<TestServer>): Promise<string> => {
  const site = await starting;
  open.push(site);
  return new URL(site.origin).port;
};

/** Each name is on loopback. */
const resolver: Resolver = { resolve: async () => ['127.0.0.1'] };
const OPTIONS: SiteOptions = {
  userAgent: 'maycrawl-test',
  allowPrivateAddresses: true,
  spacing: 0,
  resolver,
};

const fetchAll = async (
  sites: readonly string[],
  changes: Partial<SiteOptions> = {},
  signal?: AbortSignal,
) => {
  const fetched: FetchedSite[] = [];
  for await (const each of fetchSites(sites, 'google', { ...OPTIONS, ...changes }, signal))
    fetched.push(each);
  return fetched;
};

const writeList = (text: string | Uint8Array): string => {
  const path = join(folder, 'list');
  writeFileSync(path, text);
  return path;
};

describe('a list of sites', () => {
  test.each([
    ['plain', 'a.example\n# comment\nhttp://b.example:8080\nhttps://c.example/\n192.0.2.1\n[2001:db8::1]\n'],
    ['Tranco', '1,a.example\r\n2,http://b.example:8080\r\n3,c.example\r\n4,192.0.2.1\r\n5,[2001:db8::1]\r\n'],
    [
      'Tranco with a header',
      'rank,domain\n1,a.example\n2,http://b.example:8080\n3,c.example\n4,192.0.2.1\n5,[2001:db8::1]',
    ],
    [
      'CrUX',
      'origin,rank\nhttps://a.example,1000\nhttp://b.example:8080,1000\n"https://c.example",5000\nhttps://192.0.2.1,1\nhttps://[2001:db8::1],2\n',
    ],
  ])('can be that of %s', async (_, text) => {
    const sites = [
      ...['https://a.example', 'http://b.example:8080', 'https://c.example', 'https://192.0.2.1'],
      'https://[2001:db8::1]',
    ];
    expect(await readSiteList(writeList(text))).toEqual(sites);
    expect(await readSiteList(writeList(gzipSync(text)))).toEqual(sites);
  });

  test.each([
    'a b',
    'https://a.example/path',
    'ftp://a.example',
    'https://me@a.example',
    'a.example?x',
    '1,2,3 4',
  ])('with the line "%s" is refused', async (line) => {
    await expect(readSiteList(writeList(`a.example\n\n${line}`))).rejects.toThrow(
      /list: neither a host nor an origin, in line 2 of those with text: /,
    );
  });
});

describe('sites', () => {
  test('have their results in the order of the list, also those that are there several times', async () => {
    const waiting: (() => void)[] = [];
    let first: (() => void) | undefined;
    const port = await start(
      serve(({ headers: { host } }, response) => {
        const respond = (): void => void response.end(`# ${host}`);
        // The first site responds last.
        if (host?.startsWith('site-0.')) first = respond;
        else {
          waiting.push(respond);
          respond();
        }
        if (waiting.length === 39) first?.();
      }),
    );
    const sites = Array.from({ length: 40 }, (_, index) => `http://site-${index}.test:${port}`);
    const fetched = await fetchAll([...sites, sites[0] as string]);
    expect(fetched.map(({ site }) => site)).toEqual([...sites, sites[0]]);
    expect(fetched.map(({ captures }) => Buffer.from(captures[0]?.body ?? []).toString())).toEqual(
      [...sites, sites[0]].map((site) => `# ${new URL(site as string).host}`),
    );
  });

  test('have a capture for each request', async () => {
    const port = await start(
      serve(({ headers: { host = '' }, url }, response) => {
        const [name] = host.split('.');
        if (name === 'moved' && url === '/robots.txt')
          response.writeHead(301, { location: `http://target.test:${port}/r?a#b` }).end();
        else if (name === 'lost') response.writeHead(302, { location: 'http://cut.test:1/robots.txt' }).end();
        else if (name === 'loop') response.writeHead(302, { location: '/robots.txt' }).end();
        else if (name === 'cut') {
          response.writeHead(200, { 'content-length': 1000 });
          response.write('User-agent', () => response.destroy());
        } else if (name === 'none') response.writeHead(404).end('no');
        else if (name === 'busy') response.writeHead(503).end();
        else response.end('User-agent: *');
      }),
    );
    const names = ['good', 'moved', 'lost', 'loop', 'cut', 'none', 'busy'];
    const fetched = await fetchAll([
      ...names.map((name) => `http://${name}.test:${port}`),
      'http://closed.test:1',
    ]);
    const describeCapture = ({ url, status, kind, hops, body, location }: FetchedSite['captures'][number]) =>
      [url.replace(`:${port}`, ''), status, kind, hops, body?.length ?? null, location].join(' ');
    expect(fetched.map(({ result, captures }) => [result, ...captures.map(describeCapture)])).toEqual([
      ['successful', 'http://good.test/robots.txt 200 response 0 13 '],
      [
        'successful',
        `http://moved.test/robots.txt 301 response 0  http://target.test:${port}/r?a#b`,
        'http://target.test/r?a 200 response 1 13 ',
      ],
      [
        'blocked-port',
        'http://lost.test/robots.txt 302 response 0  http://cut.test:1/robots.txt',
        'http://cut.test:1/robots.txt  invalid 1  ',
      ],
      ['too-many-redirects', 'http://loop.test/robots.txt 302 response 0  /robots.txt'],
      ['network', 'http://cut.test/robots.txt 200 invalid 0  '],
      ['http-status', 'http://none.test/robots.txt 404 response 0  '],
      ['http-status', 'http://busy.test/robots.txt 503 response 0  '],
      ['blocked-port', 'http://closed.test:1/robots.txt  invalid 0  '],
    ]);
    expect(fetched[0]?.captures[0]).toMatchObject({
      input: `http://good.test:${port}`,
      time: expect.any(Number),
    });
  });

  test('are no more than the limit at the same time', async () => {
    let [active, most] = [0, 0];
    const port = await start(
      serve((_request, response) => {
        most = Math.max(most, ++active);
        setImmediate(() => {
          active--;
          response.end();
        });
      }),
    );
    await fetchAll(
      Array.from({ length: 60 }, (_, index) => `http://s${index}.test:${port}`),
      { concurrency: 3 },
    );
    expect(most).toBeLessThanOrEqual(3);
  });

  test('on private addresses are unreachable without permission', async () => {
    const [fetched] = await fetchAll(['http://127.0.0.1:8080'], { allowPrivateAddresses: false });
    expect(fetched).toMatchObject({
      result: 'private-address',
      captures: [{ kind: 'invalid', status: null }],
    });
  });

  test('that this machine cannot fetch are failures, not outcomes', async () => {
    const failing: Resolver = {
      resolve: async () => {
        throw Object.assign(new Error('EMFILE: too many open files'), { code: 'EMFILE' });
      },
    };
    expect(await fetchAll(['http://a.test'], { resolver: failing })).toEqual([
      { site: 'http://a.test', captures: [], result: 'failed', failure: 'EMFILE: too many open files' },
    ]);
  });

  test('end with the signal of the caller', async () => {
    const controller = new AbortController();
    const port = await start(serveRaw(() => controller.abort(new Error('stopped'))));
    await expect(fetchAll([`http://a.test:${port}`], {}, controller.signal)).rejects.toThrow('stopped');
  });
});

describe('the spacing', () => {
  test('is between requests to one address, and counts as a wait of this process', async () => {
    let time = 0;
    const waits: string[] = [];
    const addresses: Record<string, string[]> = {
      a: ['192.0.2.1'],
      b: ['192.0.2.1', '192.0.2.9'],
      c: ['192.0.2.2'],
    };
    const spaced = createSpacedResolver({ resolve: async (name) => addresses[name] ?? [] }, 20, () => time);
    const options = { onQueue: () => void waits.push('queue'), onSend: () => void waits.push('send') };
    expect(await spaced.resolve('a', options)).toEqual(['192.0.2.1']);
    expect(await spaced.resolve('c', options)).toEqual(['192.0.2.2']);
    expect(waits).toEqual([]);
    expect(await spaced.resolve('b', options)).toEqual(['192.0.2.1', '192.0.2.9']);
    expect(waits).toEqual(['queue', 'send']);
    // The second request was at 20 of this clock, so the third is at 40.
    time = 40;
    await spaced.resolve('a', options);
    expect(waits).toEqual(['queue', 'send']);
    const signal = AbortSignal.abort(new Error('stopped'));
    await expect(spaced.resolve('a', { ...options, signal })).rejects.toThrow();
  });
});

const judge = (sites: readonly string[], out: string, changes: Partial<CensusOptions> = {}) =>
  writeCensus(createSiteInputs(sites), {
    ...{ agents: ['GPTBot'], profile: 'google', version: '0.1.0', threads: 0, sites: OPTIONS },
    ...{ folder: join(folder, out) },
    ...changes,
  });

describe('a census of sites', () => {
  test('has their captures, and one entry in the JSON file', async () => {
    const port = await start(
      serve(({ headers: { host = '' } }, response) => {
        if (host.startsWith('x1')) response.writeHead(404).end();
        else response.end('User-agent: *\nDisallow: /');
      }),
    );
    const sites = Array.from({ length: 300 }, (_, index) => `http://x${index}.test:${port}`);
    const { summary } = await judge(sites, 'whole');
    expect(summary).toMatchObject({
      ...{ captures: 300, files: 1, outcomes: { rules: 189, absent: 111 } },
      inputs: [
        { path: sites[0], format: 'site', count: 300, records: { 'http-status': 111, successful: 189 } },
      ],
    });
    const file = await asyncBufferFromFile(join(folder, 'whole', 'captures.parquet'));
    const rows = (await parquetReadObjects({ file })) as Record<string, unknown>[];
    expect(rows.map(({ input }) => input)).toEqual(sites);
    expect(await judge(sites, 'whole')).toMatchObject({ isComplete: true });

    for (const index of [1, 2, 3]) {
      const slice = slicePaths(sites, index, 3);
      await judge(slice.paths, 'parts', { part: slice.part });
    }
    const { summary: merged } = await mergeCensus([join(folder, 'parts')], {
      folder: join(folder, 'merged'),
    });
    expect(merged.inputs).toEqual(summary.inputs);
    expect(merged.inputsDigest).toBe(summary.inputsDigest);
  });

  test('is interrupted while sites are fetched', async () => {
    const controller = new AbortController();
    const port = await start(serveRaw(() => controller.abort(new Error('stopped'))));
    await expect(judge([`http://a.test:${port}`], 'stopped', { signal: controller.signal })).rejects.toThrow(
      'stopped',
    );
  });

  test('of the command is fetched with its User-Agent, and judged in threads', async () => {
    const agents: (string | undefined)[] = [];
    const port = await start(
      serve(({ headers }, response) => {
        agents.push(headers['user-agent']);
        response.end('User-agent: GPTBot\nDisallow: /');
      }),
    );
    const list = writeList(`origin,rank\nhttp://127.0.0.1:${port},1000\nhttp://localhost:${port},1000\n`);
    const args = [
      'census',
      'judge',
      '--sites',
      list,
      '--agents',
      'GPTBot',
      '--user-agent',
      'study/1.0 (+https://a.example)',
    ];
    const out = join(folder, 'command');
    expect(await run([...args, '--out', out, '--delay', '0s', '--threads', '1'])).toMatchObject({ code: 0 });
    const read = (name: string) =>
      JSON.parse(readFileSync(join(name, 'census.json'), 'utf8')) as CensusSummary;
    expect(read(out)).toMatchObject({
      outcomes: { unreachable: 2 },
      inputs: [{ records: { 'private-address': 2 } }],
    });
    expect(agents).toEqual([]);
    const open = join(folder, 'open');
    expect(await run([...args, '--out', open, '--allow-private'])).toMatchObject({ code: 0 });
    expect(read(open)).toMatchObject({ outcomes: { rules: 2 }, files: 1 });
    expect(agents).toEqual(Array.from({ length: 2 }, () => 'study/1.0 (+https://a.example)'));
  });
});
