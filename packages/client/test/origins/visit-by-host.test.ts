import { getEventListeners } from 'node:events';
import { expect, test } from 'vitest';
import { visitByHost } from '../../src/origins/visit-by-host.ts';

test('pauses after the sites of many hosts add one listener to the signal of the caller, and end with it', async () => {
  const warnings: string[] = [];
  const onWarning = ({ name }: Error): number => warnings.push(name);
  process.on('warning', onWarning);
  const { signal } = new AbortController();
  const urls = Array.from({ length: 30 }, (_, index) => `https://host-${index}.example/`);
  const results = visitByHost(
    urls,
    async (origin) => [origin],
    (url) => url,
    { concurrency: 30, spacing: 86_400_000, signal },
  );
  let count = 0;
  for await (const _ of results) {
    expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
    if (++count === urls.length) break;
  }
  await new Promise((resolve) => setImmediate(resolve));
  process.off('warning', onWarning);
  expect(warnings).toEqual([]);
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});
