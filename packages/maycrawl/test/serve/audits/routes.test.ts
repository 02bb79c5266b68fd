import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { runHere } from '../../support/run-here.ts';
import { startService, type TestService } from '../../support/service.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
const HOSTILE = `<img src=x onerror=alert(1)>&"'`;
let service: TestService;
beforeAll(async () => {
  for (const name of ['shop', HOSTILE, 'empty']) mkdirSync(join(folder, 'audits', name), { recursive: true });
  writeFileSync(join(folder, 'secret.html'), 'secret');
  writeFileSync(join(folder, 'audits', 'shop', 'report.html'), '<p>the shop');
  writeFileSync(join(folder, 'audits', HOSTILE, 'report.html'), '<p>hostile');
  writeFileSync(join(folder, 'audits', 'single.html'), '<p>single');
  writeFileSync(join(folder, 'audits', 'run.sqlite'), 'no report');
  // All kinds of links to a report outside the folder.
  const outside = join(folder, 'outside');
  mkdirSync(outside);
  writeFileSync(join(outside, 'report.html'), 'secret');
  symlinkSync(join(outside, 'report.html'), join(folder, 'audits', 'linked-file.html'));
  symlinkSync(outside, join(folder, 'audits', 'linked-folder'));
  mkdirSync(join(folder, 'audits', 'linked-inside'));
  symlinkSync(join(outside, 'report.html'), join(folder, 'audits', 'linked-inside', 'report.html'));
  service = await startService({ auditFolder: join(folder, 'audits') });
});
afterAll(async () => {
  await service.app.close();
  rmSync(folder, { recursive: true });
});

test('reports are listed in JSON, and each has its page', async () => {
  const { status, body } = await service.get('/v1/audits');
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 3, page: 1, pages: 1 });
  const reports = body['reports'] as readonly { name: string; bytes: number; writtenAt: string }[];
  expect(reports.map(({ name }) => name).sort()).toEqual([HOSTILE, 'shop', 'single'].sort());
  for (const { bytes, writtenAt } of reports) {
    expect(bytes).toBeGreaterThan(5);
    expect(Date.now() - Date.parse(writtenAt)).toBeLessThan(3_600_000);
  }
  for (const [name, text] of [
    ['shop', '<p>the shop'],
    ['single', '<p>single'],
    [encodeURIComponent(HOSTILE), '<p>hostile'],
  ]) {
    const report = await fetch(`${service.address}/audits/${name}`);
    expect(report.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(await report.text()).toBe(text);
  }
});

test.each([
  ['/audits', './audits.html'],
  ['/audits/', '../audits.html'],
])('%s redirects to the page of audits', async (path, location) => {
  const response = await fetch(service.address + path, { redirect: 'manual' });
  expect([response.status, response.headers.get('location')]).toEqual([308, location]);
});

test.each([
  'empty',
  'run.sqlite',
  'run',
  '..%2Fsecret',
  '%2e%2e%2fsecret.html',
  '..',
  'shop%2Freport',
  'linked-file',
  'linked-folder',
  'linked-inside',
  'none',
])('a name that is not a report in the folder is not served: %s', async (name) => {
  const { status, body } = await service.get(`/audits/${name}`);
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: 'not-found' });
});

test('all reports are listed, page by page', async () => {
  const many = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  for (let index = 0; index < 1_203; index++) writeFileSync(join(many, `report-${index}.html`), 'x');
  const other = await startService({ auditFolder: many });
  const names = new Set<string>();
  for (const page of [1, 2, 3]) {
    const { body } = await other.get(`/v1/audits?page=${page}`);
    expect(body).toMatchObject({ total: 1_203, page, pages: 3 });
    for (const { name } of body['reports'] as readonly { name: string }[]) names.add(name);
  }
  expect(names.size).toBe(1_203);
  expect((await other.get('/v1/audits?page=x')).status).toBe(400);
  await other.app.close();
  rmSync(many, { recursive: true });
});

test('the list and the reports need a token if the service has tokens', async () => {
  const guarded = await startService({ auditFolder: join(folder, 'audits'), tokens: ['t'] });
  const headers = { authorization: 'Bearer t' };
  for (const path of ['/audits/shop', '/v1/audits']) {
    expect((await fetch(guarded.address + path)).status).toBe(401);
    expect((await fetch(guarded.address + path, { headers })).status).toBe(200);
  }
  await guarded.app.close();
});

test('--audits with a file fails with one line and exit code 2', async () => {
  const { code, stderr } = await runHere(['serve', '--port', '0', '--audits', join(folder, 'secret.html')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^maycrawl: --audits must be a folder with reports/);
});

test('a report with a long name has its page', async () => {
  const name = 'é'.repeat(120);
  writeFileSync(join(folder, 'audits', `${name}.html`), '<p>long');
  const report = await fetch(`${service.address}/audits/${encodeURIComponent(name)}`);
  expect([report.status, await report.text()]).toEqual([200, '<p>long']);
  rmSync(join(folder, 'audits', `${name}.html`));
});

test('a request for a removed folder gets 404, not an internal error', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  const other = await startService({ auditFolder: gone });
  rmSync(gone, { recursive: true });
  for (const path of ['/v1/audits', '/audits/shop']) expect((await other.get(path)).status).toBe(404);
  await other.app.close();
});
