/** Several processes that write the same census at the same time, as after a scheduler repeats a task on another machine. */
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findInputs, writeCensus } from 'maycrawl/census';
import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';
import { readCensus, writeCrawl } from '../support/crawl.ts';

test('processes with the same part: one at least completes it, the others report that', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-concurrent-'));
  try {
    const out = (name: string): string => join(folder, name);
    const judge = ['census', 'judge', '--manifest', writeCrawl(out('crawl'), 8, 50), '--agents', 'GPTBot'];
    expect(await run([...judge, '--out', out('whole')])).toMatchObject({ code: 0 });
    const results = await Promise.all([1, 2, 3, 4].map(() => run([...judge, '--out', out('same')])));
    expect(results.map(({ code }) => code)).toContain(0);
    for (const { code, stderr } of results)
      if (code !== 0) expect(stderr).toMatch(/^maycrawl: another process completes \S+census\.json; run/);
    expect(readCensus(out('same'))).toEqual(readCensus(out('whole')));
  } finally {
    rmSync(folder, { recursive: true });
  }
});

test('a run that ends after another process completed the census leaves the files of the other', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-concurrent-'));
  try {
    const [whole, out] = [join(folder, 'whole'), join(folder, 'census')];
    writeCrawl(join(folder, 'crawl'), 1, 5);
    const inputs = await findInputs([join(folder, 'crawl')]);
    const options = { agents: ['GPTBot'], profile: 'google', version: '1', threads: 0 } as const;
    await writeCensus(inputs, { ...options, folder: whole });
    // The other process removes these temporary files as those of a killed run.
    const onProgress = (): void => {
      rmSync(out, { recursive: true });
      cpSync(whole, out, { recursive: true });
    };
    await expect(writeCensus(inputs, { ...options, folder: out, onProgress })).rejects.toThrow(
      /another process completes .*census\.json; run the same command again/,
    );
    expect(readCensus(out)).toEqual(readCensus(whole));
    expect(await writeCensus(inputs, { ...options, folder: out })).toMatchObject({ isComplete: true });
  } finally {
    rmSync(folder, { recursive: true });
  }
});
