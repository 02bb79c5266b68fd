import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { LIMITS } from '../../src/serve/limits/limits.ts';
import { ROOT, run } from '../support/run.ts';
import { questionPath, startService } from '../support/service.ts';

const DOCUMENT = readFileSync(join(ROOT, 'docs/operations.md'), 'utf8');

/** What stands between a heading and the next one. */
function sectionOf(heading: string): string {
  const [, rest = ''] = DOCUMENT.split(`\n## ${heading}\n`);
  return rest.split('\n## ')[0] as string;
}

test('metrics: those in the document are told, and all of the service are in the document', async () => {
  const site = await serve((_request, response) => response.end('User-agent: *\nDisallow: /a'));
  const service = await startService();
  await service.get(questionPath(`${site.origin}/a`));
  const text = await (await fetch(`${service.address}/metrics`)).text();
  await service.app.close();
  await site.close();
  const told = new Set([...text.matchAll(/^# TYPE (\w+) /gm)].map(([, name]) => name));
  const written = [...sectionOf('Metrics').matchAll(/\b(?:maycrawl|process|nodejs)_[a-z0-9_]*[a-z0-9]/g)].map(
    ([name]) => name.replace(/(_seconds)_(?:count|sum|bucket)$/, '$1'),
  );
  expect(written.filter((name) => !told.has(name))).toEqual([]);
  const own = [...told].filter((name) => name?.startsWith('maycrawl_'));
  expect(own.length).toBeGreaterThan(4);
  const table = [...sectionOf('Metrics').matchAll(/^\| (.*?) \|/gm)].map(([, cell]) => cell).join();
  expect(own.filter((name) => !table.includes(`\`${name}\``))).toEqual([]);
});

test('limits: the table has all of them, with their values', () => {
  const rows = sectionOf('Limits').matchAll(/^\| `(\w+)` \| ([\d,]+) \|/gm);
  const written = [...rows].map(([, name, value]) => [name, Number(value?.replaceAll(',', ''))]);
  expect(Object.fromEntries(written)).toEqual(LIMITS);
});

test('options: the table has those of maycrawl serve, and the text has no others', async () => {
  const { stdout } = await run(['serve', '--help']);
  const options = [...stdout.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, name]) => name as string);
  expect(options.length).toBeGreaterThan(9);
  const cells = [...sectionOf('First start').matchAll(/^\| (`--.*?) \|/gm)].map(([, cell]) => cell).join();
  expect([...cells.matchAll(/--[a-z-]+/g)].map(([name]) => name).sort()).toEqual([...options].sort());
  // Options in code that begins with them, and those of commands.
  const written = [
    ...DOCUMENT.matchAll(/`(--[a-z-]+)/g),
    ...[...DOCUMENT.matchAll(/^.*\bmaycrawl(?:\.js",)? "?serve\b.*$/gm)].flatMap(([line]) => [
      ...line.matchAll(/(?:^|[ "])(--[a-z-]+)/g),
    ]),
  ].map(([, name]) => name);
  expect(written.length).toBeGreaterThan(options.length);
  // That of docker.
  expect(written.filter((name) => name !== '--init' && !options.includes(name as string))).toEqual([]);
});
