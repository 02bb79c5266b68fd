/** The columns about the content of files: the tables have what the judge says, with and without the linter. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MAIN_PURPOSES } from '@maycrawl/core/preferences';
import { asyncBufferFromFile, parquetReadObjects } from 'hyparquet';
import { BodyJudge, findInputs, writeCensus } from 'maycrawl/census';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { run } from '../../support/run.ts';
import { runHere } from '../../support/run-here.ts';
import { MANAGED_FILE, readCorpus } from './support.ts';

const AGENTS = ['GPTBot', 'Googlebot', 'bingbot'];
const BODIES: readonly Buffer[] = [
  ...[MANAGED_FILE, 'User-agent: *\nDisallow: /\n', '', '<html>'],
  'Crawl-delay: 1\nUser-agent: *\nCrawl-delay: 0.25\nContent-Usage: Train-AI=n\nLicense: https://example.com/l\n',
  `User-agent: a\nUser-agent: é\n${'Content-Signal: /p\u{fffd} ai-train=yes, use=full\n'.repeat(150)}`,
  ...readCorpus(10_000, 12),
].map((each) => Buffer.from(each));

let folder: string;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-content-'));
  mkdirSync(join(folder, 'sites'));
  for (const [index, body] of BODIES.entries())
    writeFileSync(join(folder, 'sites', `site-${String(index).padStart(3, '0')}.example.txt`), body);
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const readFiles = async (out: string) => {
  const file = await asyncBufferFromFile(join(out, 'files.parquet'));
  return (await parquetReadObjects({ file })) as Record<string, unknown>[];
};
const write = async (out: string, lint: boolean) => {
  const options = { agents: AGENTS, profile: 'google', version: '0.1.0', threads: 0, lint };
  const { summary } = await writeCensus(await findInputs([join(folder, 'sites')]), {
    ...options,
    folder: out,
  });
  expect(summary.lint).toBe(lint);
  return readFiles(out);
};
const toPurposes = (values: readonly string[]): object =>
  Object.fromEntries(MAIN_PURPOSES.map((purpose, index) => [purpose, values[index]]));

describe('the columns about the content', () => {
  test.each([false, true])('have what the judge says (linter: %s)', async (lint) => {
    const judge = new BodyJudge({ agents: AGENTS, profile: 'google', lint });
    const rows = await write(join(folder, `out-${lint}`), lint);
    const distinct = [...new Map(BODIES.map((body) => [body.toString('latin1'), body])).values()];
    expect(rows).toHaveLength(distinct.length);
    for (const [index, body] of distinct.entries()) {
      const judgement = judge.judge(body);
      const { generators, crawlDelayLines, crawlDelays, declarations, omittedDeclarations } = judgement;
      const { preferences, conflicts, preferenceFindings, findings } = judgement;
      const expected = {
        ...{ generators, crawlDelayLines, crawlDelays, declarations, omittedDeclarations },
        ...{ conflicts, preferenceFindings, ...(lint && { findings }) },
        preferences: preferences.map(({ agent, grouped, global }) => ({
          agent,
          grouped: toPurposes(grouped),
          global: toPurposes(global),
        })),
      };
      expect(rows[index]).toMatchObject(expected);
      expect('findings' in (rows[index] ?? {})).toBe(lint);
    }
    expect(rows.filter(({ declarations }) => (declarations as unknown[]).length > 0).length).toBeGreaterThan(
      2,
    );
  });

  test('have findings with the option --lint only, which is another census', async () => {
    const out = join(folder, 'command');
    const args = ['census', 'judge', join(folder, 'sites'), '--agents', AGENTS.join(','), '--out', out];
    expect(await run([...args, '--lint', '--threads', '1'])).toMatchObject({ code: 0 });
    expect((await readFiles(out))[0]).toMatchObject({ findings: expect.any(Array) });
    expect(await runHere(args)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining('other settings of the linter'),
    });
  });
});
