import { createReadStream, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { GOOGLE, resolveAgent } from '@maycrawl/core';
import {
  createIdentifier,
  createLogsHtml,
  type JudgeOptions,
  judgeLog,
  LogCrawlers,
  type ReadLogOptions,
  readLog,
  Timeline,
} from 'maycrawl/logs';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const LOG = join(ROOT, 'examples/logs/access.log');
const ROBOTS = readFileSync(join(ROOT, 'examples/logs/robots/2026-11-20T10-00-00Z.txt'));

function createOptions(): JudgeOptions {
  const timeline = new Timeline([{ name: 'robots.txt', from: Number.NEGATIVE_INFINITY, body: ROBOTS }]);
  return {
    sites: [{ origin: 'https://shop.example', timeline }],
    profile: GOOGLE,
    crawlers: new LogCrawlers(resolveAgent),
    identify: createIdentifier(),
  };
}

describe('maycrawl/logs', () => {
  test('reads the requests of crawlers from a stream, one by one', async () => {
    const log = readLog(createReadStream(LOG));
    const targets: string[] = [];
    for await (const { crawler, target } of log) targets.push(`${crawler} ${target}`);
    expect(targets).toHaveLength(14);
    expect(targets[0]).toBe('GPTBot /robots.txt');
    expect(log.counts).toEqual({ read: 16, parsed: 16, unparsed: 0, crawlers: 14, visitors: 2 });
  });

  test('judges them', async () => {
    const summary = await judgeLog(readLog(createReadStream(LOG)), createOptions());
    expect(summary.crawlers[0]).toMatchObject({ crawler: 'GPTBot', classes: { violation: 5, allowed: 2 } });
    expect(await createLogsHtml(summary)).toContain('shop.example');
  });

  test.each([
    [
      'a misspelled option of readLog',
      () => readLog(createReadStream(LOG), { fromat: 'combined' } as ReadLogOptions),
    ],
    [
      'a misspelled option of judgeLog',
      () => judgeLog(readLog(createReadStream(LOG)), { ...createOptions(), sinse: 0 } as JudgeOptions),
    ],
    ['a missing option of judgeLog', () => judgeLog(readLog(createReadStream(LOG)), {} as JudgeOptions)],
  ])('%s is a TypeError', async (_, call) => {
    await expect((async () => call())()).rejects.toThrow(TypeError);
  });

  test('an unknown format and a log without sites are a RangeError', async () => {
    expect(() => readLog(createReadStream(LOG), { format: 'no-format' })).toThrow(RangeError);
    const options = { ...createOptions(), sites: [] };
    await expect(judgeLog(readLog(createReadStream(LOG)), options)).rejects.toThrow(RangeError);
  });
});
