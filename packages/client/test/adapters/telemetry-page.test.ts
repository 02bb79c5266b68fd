// The tables and examples of docs/telemetry.md.
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { instrument } from '../../src/adapters/opentelemetry.ts';

const page = readFileSync(new URL('../../../../docs/telemetry.md', import.meta.url), 'utf8');

test('the page names every channel, kind and metric', () => {
  const source = (path: string): string =>
    readFileSync(new URL(`../../src/${path}`, import.meta.url), 'utf8');
  const events = source('origins/events/client-event.ts') + source('origins/events/decision-event.ts');
  for (const [, name] of events.matchAll(/'(maycrawl:robots:\w+)'/g)) expect(page).toContain(`\`${name}\``);
  for (const [, kind] of events.matchAll(/readonly kind: '([\w-]+)'/g)) expect(page).toContain(`\`${kind}\``);
  const metrics = [...source('adapters/opentelemetry.ts').matchAll(/create\w+\('([\w.]+)'/g)];
  expect(metrics.length).toBe(6);
  for (const [, metric] of metrics) expect(page).toContain(`\`${metric}\``);
});

test('the examples import what exists', async () => {
  const client: Record<string, unknown> = await import('../../src/index.ts');
  expect(page).toContain("import { RobotsClient } from '@maycrawl/client';");
  expect(client['RobotsClient']).toBeTypeOf('function');
  const stop = instrument();
  stop();
});
