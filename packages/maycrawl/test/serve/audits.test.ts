import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { run } from '../support/run.ts';
import { startService, type TestService } from '../support/service.ts';

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
  'none',
])('nothing else is served: %s', async (name) => {
  const { status, body } = await service.get(`/audits/${name}`);
  expect(status).toBe(404);
  expect(body).toMatchObject({ code: 'not-found' });
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
