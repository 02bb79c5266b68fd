import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { LIMITS } from '../../src/serve/limits/limits.ts';
import { ROOT, run } from '../support/run.ts';
import { getDecisionPath, startService } from '../support/service.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** Returns the text between a heading and the next one. */
function getSection(heading: string): string {
  const [, rest = ''] = DOCUMENT.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] as string;
}

test('metrics: the service exports all documented metrics, and the document lists all metrics of the service', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a'));
  const service = await startService();
  await service.get(getDecisionPath(`${site.origin}/a`));
  const text = await (await fetch(`${service.address}/metrics`)).text();
  await service.app.close();
  await site.close();
  const exported = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const documented = [
    ...getSection('Metrics').matchAll(/\b(?:maycrawl|process|nodejs)_[a-z0-9_]*[a-z0-9]/g),
  ].map(([name]) => name.replace(/(_seconds)_(?:count|sum|bucket)$/, '$1'));
  expect(documented.filter((name) => !exported.has(name))).toEqual([]);
  const own = [...exported].filter((name) => name?.startsWith('maycrawl_'));
  expect(own.length).toBeGreaterThan(4);
  const table = [...getSection('Metrics').matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell).join();
  expect(own.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('limits: the table lists all limits with their values', () => {
  const rows = getSection('Limits').matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm);
  const documented = [...rows].map(([, name, value]) => [name, Number(value?.replaceAll(',', ''))]);
  expect(Object.fromEntries(documented)).toEqual(LIMITS);
});

test('options: the table lists the options of maycrawl serve, and the text mentions no others', async () => {
  const { stdout } = await run(['serve', '--help']);
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name as string);
  expect(options.length).toBeGreaterThan(9);
  const cells = [...getSection('First start').matchAll(/^\| (`--.*?) \|/gm)].map(([, cell]) => cell).join();
  expect([...cells.matchAll(/--[a-z-]+/g)].map(([name]) => name).sort()).toEqual([...options].sort());
  // Options at the start of code, and options of commands.
  const documented = [
    ...DOCUMENT.matchAll(/`(--[a-z-]+)/g),
    ...[...DOCUMENT.matchAll(/^.*\bmaycrawl(?:\.js",)? "?serve\b.*$/gm)].flatMap(([line]) => [
      ...line.matchAll(/(?:^|[ "])(--[a-z-]+)/g),
    ]),
  ].map(([, name]) => name);
  expect(documented.length).toBeGreaterThan(options.length);
  // An option of docker.
  expect(documented.filter((name) => name !== '--init' && !options.includes(name as string))).toEqual([]);
});
