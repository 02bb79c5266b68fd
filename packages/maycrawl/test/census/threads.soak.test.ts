import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { run } from '../support/run.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-threads-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** More than the tasks in the pool of two threads, each with more captures than a thread may send unread: two batches of 2,000. */
const [FILES, CAPTURES] = [9, 4_500] as const;

test('threads that wait for the reader, and tasks that wait for a thread, do not wait for each other', async () => {
  const crawl = mkdtempSync(join(folder, 'crawl-'));
  for (let file = 0; file < FILES; file++) {
    const lines = Array.from({ length: CAPTURES }, (_, index) =>
      JSON.stringify({
        host: `h${file}-${index}.example`,
        body: `User-agent: *\nDisallow: /${file}/${index % 500}`,
      }),
    );
    writeFileSync(join(crawl, `${file}.ndjson`), lines.join('\n'));
  }
  const judge = async (threads: number): Promise<readonly Buffer[]> => {
    const out = join(folder, `${threads}`);
    const args = ['census', 'judge', crawl, '--agents', 'GPTBot', '--threads', String(threads), '--out', out];
    const { code, stderr } = await run(args);
    expect(stderr).toContain(`${(FILES * CAPTURES).toLocaleString('en')} captures`);
    expect(code).toBe(0);
    return ['captures.parquet', 'files.parquet', 'census.json'].map((name) => readFileSync(join(out, name)));
  };
  expect(await judge(2)).toEqual(await judge(1));
});
