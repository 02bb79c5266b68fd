// The metrics of the service, and the examples of alerts and of a dashboard that use them. promtool is Prometheus' own checker.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../../support/run.ts';
import { startService } from '../../support/service.ts';

const EXAMPLES = join(ROOT, 'examples/service');
const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

const readExample = (name: string): string => readFileSync(join(EXAMPLES, name), 'utf8');

function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: EXAMPLES, input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

async function readMetrics(): Promise<string> {
  const service = await startService();
  const text = await (await fetch(`${service.address}/metrics`)).text();
  await service.app.close();
  return text;
}

test('the alerts and the dashboard name only metrics that the service has', async () => {
  const names = new Set(['up']);
  for (const [, name = '', type] of (await readMetrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm))
    for (const suffix of type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
      names.add(name + suffix);
  const rules: { expr: string }[] = parse(readExample('alerts.yml')).groups[0].rules;
  const panels: { targets: { expr: string }[] }[] = JSON.parse(readExample('dashboard.json')).panels;
  const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
  const used = expressions.flatMap((expr) => expr.match(/\b(?:up|(?:maycrawl|process|nodejs)_\w+)/g) ?? []);
  expect(used.length).toBeGreaterThanOrEqual(expressions.length);
  expect(used.filter((name) => !names.has(name))).toEqual([]);
});

test.skipIf(!HAS_PROMTOOL)(
  'promtool finds nothing wrong in the metrics (skipped without promtool)',
  async () => {
    const { status, output } = promtool(['check', 'metrics'], await readMetrics());
    expect([0, 3]).toContain(status);
    // These gauges of prom-client have names of counters.
    const lines = output
      .split('\n')
      .filter((line) => line !== '' && !/^nodejs_\w+_total non-counter/.test(line));
    expect(lines).toEqual([]);
  },
);

test.skipIf(!HAS_PROMTOOL)(
  'each alert is raised by its fault, and none without one (skipped without promtool)',
  () => {
    expect(promtool(['check', 'rules', 'alerts.yml'])).toMatchObject({ status: 0 });
    expect(promtool(['test', 'rules', 'alerts.test.yml'])).toMatchObject({ status: 0 });
  },
);
