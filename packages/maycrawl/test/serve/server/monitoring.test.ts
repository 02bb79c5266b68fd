// The metrics of the service and of the monitor, and the examples of alerts and of dashboards that use them. promtool is Prometheus' own
// checker.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { startEndpoint } from '../../support/monitor-endpoint.ts';
import { ROOT } from '../../support/run.ts';
import { startService } from '../../support/service.ts';
import { openTestDatabase } from '../../support/watch-databases.ts';

const EXAMPLES = join(ROOT, 'examples/service');
const HAS_PROMTOOL = spawnSync('promtool', ['--version']).status === 0;

const readExample = (name: string): string => readFileSync(join(EXAMPLES, name), 'utf8');

function promtool(args: readonly string[], input = ''): { status: number | null; output: string } {
  const { status, stdout, stderr } = spawnSync('promtool', args, { cwd: EXAMPLES, input, encoding: 'utf8' });
  return { status, output: stdout + stderr };
}

async function readServiceMetrics(): Promise<string> {
  const service = await startService();
  const text = await (await fetch(`${service.address}/metrics`)).text();
  await service.app.close();
  return text;
}

async function readMonitorMetrics(): Promise<string> {
  const { metrics, get } = await startEndpoint({ database: await openTestDatabase() });
  metrics.countEvents([{ kind: 'first', severity: 'info' }]);
  return (await get('/metrics')).text;
}

describe.each([
  ['the service', '', readServiceMetrics],
  ['the monitor', 'watch-', readMonitorMetrics],
])('%s', (_name, prefix, readMetrics) => {
  test('the alerts and the dashboard name only metrics that exist', async () => {
    const names = new Set(['up']);
    for (const [, name = '', type] of (await readMetrics()).matchAll(/^# TYPE (\S+) (\S+)$/gm))
      for (const suffix of type === 'histogram' ? ['_bucket', '_count', '_sum'] : [''])
        names.add(name + suffix);
    const rules: { expr: string }[] = parse(readExample(`${prefix}alerts.yml`)).groups[0].rules;
    const { panels }: { panels: { targets: { expr: string }[] }[] } = JSON.parse(
      readExample(`${prefix}dashboard.json`),
    );
    const expressions = [...rules, ...panels.flatMap(({ targets }) => targets)].map(({ expr }) => expr);
    const used = expressions.flatMap(
      (expr) => expr.match(/\b(?:up|(?:maycrawl_|process_|nodejs_)\w+)/g) ?? [],
    );
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
      expect(promtool(['check', 'rules', `${prefix}alerts.yml`])).toMatchObject({ status: 0 });
      expect(promtool(['test', 'rules', `${prefix}alerts.test.yml`])).toMatchObject({ status: 0 });
    },
  );
});
