import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readRunPoints, selectTrend } from '../../../src/audit/report/trend/read-trend.ts';
import { createRunPoint, writeRunPoint } from '../../../src/audit/report/trend/run-point.ts';
import { html, makeRun } from '../../support/audit-runs.ts';
import { SHOP } from '../../support/audit-site.ts';
import { createTestFolder } from '../../support/folder.ts';
import { runHere } from '../../support/run-here.ts';
import { startService } from '../../support/service.ts';

const folder = createTestFolder('trend');
const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20);

beforeAll(async () => {
  for (const [day, end] of (['complete', 'max-pages', 'no-responses'] as const).entries()) {
    const path = join(folder, `shop-${day}`);
    mkdirSync(path);
    const shop = await makeRun(join(path, 'run.sqlite'), {
      ...{ ...SHOP, end },
      settings: { startedAt: START + day * DAY },
    });
    const changes = [{ kind: 'finding', severity: 'error', title: '\u001b[31mred' }] as const;
    const point = await createRunPoint(shop, day === 1 ? { comparedWith: 'shop-0', changes } : {});
    await writeRunPoint(join(path, 'summary.json'), point);
    await shop.close();
  }
  writeFileSync(join(folder, 'shop-2', 'report.html'), '<p>report');
  const answers = { 'https://odd.example/': { body: html('odd') } };
  mkdirSync(join(folder, 'odd'));
  const odd = await makeRun(join(folder, 'odd', 'run.sqlite'), { start: 'https://odd.example/', answers });
  await writeRunPoint(join(folder, 'odd', 'summary.json'), {
    ...(await createRunPoint(odd, { failure: 'The server failed.' })),
    startedAt: new Date(START - DAY).toISOString(),
  });
  await odd.close();
  // Not summaries.
  const wrong = [
    ...['', '{', 'null', '[]', '{"starts":[]}', `{"starts":["${'x'.repeat(300_000)}"]}`],
    JSON.stringify({
      ...{ starts: ['x'], startedAt: 'yesterday', endedAt: null, state: 'complete', ending: '' },
      ...{ agents: [], comparedWith: null, changes: [] },
    }),
  ];
  for (const [index, text] of wrong.entries()) {
    mkdirSync(join(folder, `wrong-${index}`));
    writeFileSync(join(folder, `wrong-${index}`, 'summary.json'), text);
  }
  mkdirSync(join(folder, 'linked'));
  symlinkSync(join(folder, 'odd', 'summary.json'), join(folder, 'linked', 'summary.json'));
  symlinkSync(join(folder, 'odd'), join(folder, 'linked-folder'));
  writeFileSync(join(folder, 'summary.json'), '{}');
});

test('a trend has the runs of a site, the oldest first', async () => {
  const points = await readRunPoints(folder);
  expect(points.map(({ name }) => name)).toEqual(['odd', 'shop-0', 'shop-1', 'shop-2']);
  const { sites, site, runs } = selectTrend(points);
  expect([sites, site]).toEqual([['https://odd.example/', 'https://shop.example/'], 'https://shop.example/']);
  expect(runs.map(({ state, startedAt, hasReport }) => [state, startedAt.slice(0, 10), hasReport])).toEqual([
    ['complete', '2026-11-20', false],
    ['limited', '2026-11-21', false],
    ['unfinished', '2026-11-22', true],
  ]);
  const [agent] = runs[0]?.agents ?? [];
  expect([agent?.agent, agent?.judged, agent?.indexable]).toEqual(['Googlebot', 106, 50]);
  const others = Object.values(agent?.reasons ?? {}).reduce((sum: number, count) => sum + Number(count), 0);
  expect(others).toBe(56);
  expect(runs[1]).toMatchObject({ comparedWith: 'shop-0', changes: [{ severity: 'error' }] });
  const [odd] = selectTrend(points, 'https://odd.example/').runs;
  expect([odd?.state, odd?.ending]).toEqual(['unfinished', 'The server failed.']);
  expect(selectTrend(points, 'https://unknown.example/').runs).toEqual([]);
  expect(selectTrend([])).toEqual({ sites: [], site: null, runs: [] });
});

test('a trend of more than 400 runs has the newest ones', async () => {
  const [, point] = await readRunPoints(folder);
  if (point === undefined) throw new Error('there are no runs');
  const points = Array.from({ length: 403 }, (_, index) => ({ ...point, name: `run-${index}` }));
  const { runs } = selectTrend(points);
  expect([runs.length, runs[0]?.name, runs.at(-1)?.name]).toEqual([400, 'run-3', 'run-402']);
});

test('the command prints a table, or one JSON object for each run', async () => {
  const text = await runHere(['audit', 'trend', folder]);
  expect(text.stdout.split('\n').map((line) => line.trimEnd())).toEqual(
    expect.arrayContaining([
      'https://shop.example/',
      'started (UTC)     state       crawler    indexable  not indexable  errors  run',
      expect.stringMatching(/^2026-11-20 00:00 {2}complete {4}Googlebot {2}50 {9}56 {13}\d+ {6}shop-0$/),
      // The numbers of an audit that did not finish do not count.
      expect.stringMatching(/^2026-11-22 00:00 {2}unfinished {2}Googlebot {2}– {10}– {14}– {7}\S+$/),
    ]),
  );
  expect(text.code).toBe(0);
  const json = await runHere(['audit', 'trend', folder, '--json', '--site', 'https://shop.example/']);
  const runs = json.stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(runs).toEqual(selectTrend(await readRunPoints(folder)).runs);
  const none = await runHere(['audit', 'trend', folder, '--site', 'https://unknown.example/']);
  expect([none.code, none.stderr]).toEqual([
    1,
    `maycrawl: ${folder} has no summaries of audits of https://unknown.example/\n`,
  ]);
  expect((await runHere(['audit', 'trend', join(folder, 'missing')])).code).toBe(2);
});

test('an audit with reports writes its summary', async () => {
  const out = join(folder, 'new');
  const { code } = await runHere(['audit', 'http://127.0.0.1:1/', '--out', out, '--timeout', '1s']);
  expect(code).toBe(0);
  const point = (await readRunPoints(folder)).find(({ name }) => name === 'new');
  expect(point).toMatchObject({ starts: ['http://127.0.0.1:1/'], hasReport: true });
});

test('the service responds with the trend of a site', async () => {
  const { app, get } = await startService({ auditFolder: folder });
  const site = encodeURIComponent('https://shop.example/');
  const { status, body } = await get(`/v1/audits/trend?site=${site}`);
  expect([status, body]).toEqual([200, selectTrend(await readRunPoints(folder), 'https://shop.example/')]);
  expect((await get('/v1/audits/trend?site=x')).body).toMatchObject({ site: 'x', runs: [] });
  await app.close();
  const other = await startService({ auditFolder: join(folder, 'missing') });
  expect((await other.get('/v1/audits/trend')).status).toBe(404);
  await other.app.close();
});
