/** Renders pages that attack the program, in Chromium: the audit goes on, and nothing but its own requests gets to a network. */
import { createSocket } from 'node:dgram';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createRenderPass } from '../../../src/audit/render/render-pass.ts';
import type { RenderOutcome } from '../../../src/audit/run/records/rendering.ts';
import { type Crawled, crawlAll } from '../crawling.ts';
import { HOSTILE_PAGES, type HostilePage } from './hostile-cases.ts';
import { ProcessWatch } from './processes.ts';
import { createFiles, type RenderCase, type RenderSite, type SiteFile, startRenderSite } from './site.ts';
import { isChromiumMissing, NEEDS, RENDER } from './support.ts';

const HARMLESS = {
  path: '/harmless',
  html: "<title>Before</title><script>document.title = 'After'</script>",
};
/** The times of the pages that can take all of it. */
const TIMES = new Set(HOSTILE_PAGES.flatMap(({ time }) => time ?? []));
/** The time of the others, which a slow machine needs for some of them. */
const LONG = 60_000;
const packets = createSocket('udp4');
let packetCount = 0;
let trap: RenderSite;
let site: RenderSite;
let crawls: Crawled[];
let names: Record<string, string>;
const processes = new ProcessWatch();

beforeAll(async () => {
  if (isChromiumMissing) return;
  packets.on('message', () => packetCount++);
  await new Promise<void>((resolve) => packets.bind(0, '127.0.0.1', resolve));
  trap = await startRenderSite({});
  const { host, port } = new URL(trap.origin);
  names = { TRAPPORT: port, TRAP: host, UDP: `127.0.0.1:${(packets.address() as AddressInfo).port}` };
  const toPages = (cases: readonly HostilePage[]): Pick<RenderCase, 'path' | 'html'>[] =>
    cases.map(({ path, script }) => ({
      path,
      html: `<!doctype html><title>Before</title><body><script>${script}</script>`,
    }));
  // Pages that can take all of their time are crawled apart from the others, by that time.
  const pagesByTime = [LONG, ...TIMES].map((time, index) => ({
    time,
    start: index === 0 ? '/' : `/${time}`,
    files: createFiles([
      ...toPages(HOSTILE_PAGES.filter((page) => (page.time ?? LONG) === time)),
      ...(index === 0 ? [HARMLESS] : []),
    ]),
  }));
  site = await startRenderSite(
    {
      ...Object.assign({}, ...pagesByTime.map(({ files }) => files)),
      ...Object.fromEntries(pagesByTime.map(({ start, files }) => [start, files['/'] as SiteFile])),
      '/data.json': { type: 'application/json', body: '{}' },
      '/to-trap': { status: 302, headers: { location: 'http://TRAP/redirected' } },
      '/worker.js': { type: 'text/javascript', body: "fetch('http://TRAP/worker')" },
      '/kept': { body: '<title>Kept</title>' },
    },
    names,
  );
  processes.start();
  // Only the origin of the start may be private.
  crawls = await Promise.all(
    pagesByTime.map(({ start, time }) =>
      crawlAll([`${site.origin}${start}`], {
        allowPrivateAddresses: undefined,
        extend: createRenderPass({ ...RENDER, limit: 0, timeout: time }),
        settings: { render: { limit: null } },
      }),
    ),
  );
}, 900_000);
afterAll(async () => {
  processes.stop();
  await site?.close();
  await trap?.close();
  packets.close();
});

function readOutcome(path: string): RenderOutcome | undefined {
  for (const { run } of crawls) {
    const key = run.findKey(`${site.origin}${path}`);
    if (key !== undefined) return run.renderings.get(key)?.outcome;
  }
  return undefined;
}

function insertNames<T>(value: T): T {
  const all = { ORIGIN: site.origin, ...names };
  return JSON.parse(
    Object.entries(all).reduce((text, [name, to]) => text.replaceAll(name, to), JSON.stringify(value)),
  ) as T;
}

/** Sorts the refused requests of an outcome: they are stored in the order in which they were refused. */
function sortRefused<T extends object | undefined>(outcome: T): T {
  const { refused } = (outcome ?? {}) as { readonly refused?: readonly { readonly url: string }[] };
  return refused === undefined
    ? outcome
    : { ...outcome, refused: refused.toSorted((a, b) => a.url.localeCompare(b.url)) };
}

test.skipIf(isChromiumMissing).each(HOSTILE_PAGES)(`$path${NEEDS}`, async ({ path, expected, codes }) => {
  const outcome = readOutcome(path);
  expect(sortRefused(outcome)).toMatchObject(sortRefused(insertNames(expected)));
  if (codes !== undefined) expect(codes).toContain(outcome?.kind === 'failure' ? outcome.code : outcome);
});

test.skipIf(isChromiumMissing)(`no page gets to another server than its own${NEEDS}`, () => {
  expect(trap.connections()).toBe(0);
  expect(trap.requests).toEqual([]);
  expect(packetCount).toBe(0);
});

test.skipIf(isChromiumMissing)(`pages after hostile ones are rendered${NEEDS}`, async () => {
  expect(readOutcome('/harmless')).toMatchObject({ kind: 'rendered', after: { title: 'After' } });
  for (const { end } of crawls) expect(end).toMatchObject({ reason: 'complete', waiting: 0 });
});

test.skipIf(isChromiumMissing)(`requests are bounded, and only GET${NEEDS}`, () => {
  const data = site.requests.filter((request) => request.includes('/data.json'));
  // Two pages, of which each may send 200.
  expect(data.length).toBeLessThanOrEqual(400);
  expect(site.requests.filter((request) => !request.startsWith('GET '))).toEqual([]);
});

test.skipIf(isChromiumMissing || process.platform !== 'linux')(
  `no process of Chromium is left (Linux)${NEEDS}`,
  async () => {
    expect(processes.groups.size).toBeGreaterThan(1);
    await expect.poll(() => processes.listLeft()).toEqual([]);
  },
);
