import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { startEndpoint } from '../support/monitor-endpoint.ts';
import { ROOT } from '../support/run.ts';
import { openTestDatabase } from '../support/watch-databases.ts';

const PAGE = readFileSync(join(ROOT, 'docs/watch-operations.md'), 'utf8');

/** Returns the first cells of the tables. */
const CELLS = [...PAGE.matchAll(/^\| (.*?) \|/gm)].map(([, cell = '']) => cell);

test('the page lists the metrics of the monitor with their results, and no others', async () => {
  const { get } = await startEndpoint({ database: await openTestDatabase() });
  const { text } = await get('/metrics');
  const exported = [...text.matchAll(/^# TYPE (maycrawl_\w+) /gm)].map(([, name]) => name);
  const documented = CELLS.flatMap((cell) => [...cell.matchAll(/`(maycrawl_\w+)`/g)].map(([, name]) => name));
  expect(documented.toSorted()).toEqual(exported.toSorted());
  const results = new Set([...text.matchAll(/result="(.*?)"/g)].map(([, result]) => result));
  expect(results.size).toBe(9);
  for (const result of results) expect(PAGE).toContain(`\`${result}\``);
});

test('the page lists the alerts with their severities', () => {
  const rules: { alert: string; labels: { severity: string } }[] = parse(
    readFileSync(join(ROOT, 'examples/service/watch-alerts.yml'), 'utf8'),
  ).groups[0].rules;
  const documented = [...PAGE.matchAll(/^\| `(Maycrawl\w+)` \| (\w+) \|/gm)].map(([, ...cells]) => cells);
  expect(documented).toEqual(rules.map(({ alert, labels: { severity } }) => [alert, severity]));
});
