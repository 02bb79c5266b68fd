import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../../support/run.ts';
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
  // Links of every kind, to a report that is not in the folder.
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

test('reports are listed, and each has its page', async () => {
  const response = await fetch(`${service.address}/audits`);
  expect(response.status).toBe(200);
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
  const list = await response.text();
  expect(list).not.toContain('<img');
  const links = [...list.matchAll(/<li><a href="([^"]*)">/g)].map(([, href]) => href as string);
  expect(links.map(decodeURIComponent).sort()).toEqual(
    [HOSTILE.replace(/'/g, '&#39;'), 'shop', 'single'].sort(),
  );
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
])('nothing else is served: %s', async (name) => {
  const { status, body } = await service.get(`/audits/${name}`);
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: 'not-found' });
});

test('all reports are listed, page by page, the newest first', async () => {
  const many = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  for (let index = 0; index < 1_203; index++) writeFileSync(join(many, `report-${index}.html`), 'x');
  const other = await startService({ auditFolder: many });
  const names = new Set<string>();
  for (const page of [1, 2, 3]) {
    const text = await (await fetch(`${other.address}/audits/?page=${page}`)).text();
    expect(text).toContain(`1203 reports, page ${page} of 3`);
    for (const [, href] of text.matchAll(/<li><a href="([^"]*)">/g)) names.add(href as string);
  }
  expect(names.size).toBe(1_203);
  expect((await other.get('/audits/?page=x')).status).toBe(400);
  await other.app.close();
  rmSync(many, { recursive: true });
});

test('with tokens they need one', async () => {
  const guarded = await startService({ auditFolder: join(folder, 'audits'), tokens: ['t'] });
  expect((await fetch(`${guarded.address}/audits/shop`)).status).toBe(401);
  const headers = { authorization: 'Bearer t' };
  expect((await fetch(`${guarded.address}/audits/shop`, { headers })).status).toBe(200);
  await guarded.app.close();
});

test('what is no folder: one clear line, exit 2', async () => {
  const { code, stderr } = await run(['serve', '--port', '0', '--audits', join(folder, 'secret.html')]);
  expect(code).toBe(2);
  expect(stderr).toMatch(/^maycrawl: --audits is a folder with reports/);
});

test('a report with a long name has its page', async () => {
  const name = 'é'.repeat(120);
  writeFileSync(join(folder, 'audits', `${name}.html`), '<p>long');
  const report = await fetch(`${service.address}/audits/${encodeURIComponent(name)}`);
  expect([report.status, await report.text()]).toEqual([200, '<p>long']);
  rmSync(join(folder, 'audits', `${name}.html`));
});

test('a folder that has gone is a missing page, not a fault', async () => {
  const gone = mkdtempSync(join(tmpdir(), 'maycrawl-audits-'));
  const other = await startService({ auditFolder: gone });
  rmSync(gone, { recursive: true });
  for (const path of ['/audits/', '/audits/shop']) expect((await other.get(path)).status).toBe(404);
  await other.app.close();
});
