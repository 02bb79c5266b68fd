import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openRun } from '../../src/audit/run/open-run.ts';
import { html, makeRun } from '../support/audit-runs.ts';
import { SHOP } from '../support/audit-site.ts';
import { runHere } from '../support/run-here.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-reports-'));
const at = (name: string): string => join(folder, name);

describe('maycrawl audit report, compare and replay', () => {
  beforeAll(async () => {
    mkdirSync(at('shop'));
    await (await makeRun(at('shop/run.sqlite'), SHOP)).close();
    const answers = { ...SHOP.answers, 'https://shop.example/slow': { status: 410 } };
    await (await makeRun(at('later.sqlite'), { ...SHOP, answers })).close();
    writeFileSync(at('new.txt'), 'User-agent: *\nDisallow: /calendar/\nDisallow: /about # \u001b[2J\n');
    const odd = {
      start: 'https://odd.example/',
      answers: { 'https://odd.example/': { body: html('\u001b[31mred') } },
    };
    await (await makeRun(at('odd.sqlite'), odd)).close();
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  test('the report of a run in a folder is written there, with a summary on standard output', async () => {
    const { code, stdout, stderr } = await runHere(['audit', 'report', at('shop')]);
    expect(stdout).toMatch(/^Complete: no URLs are waiting\.\n109 URLs: /);
    expect(stdout).toContain(
      'https://shop.example/robots.txt: The rules of the robots.txt apply.\nGooglebot: 50 of 106 URLs indexable; ',
    );
    expect(stderr).toBe(`maycrawl: wrote ${at('shop/report.html')}\n`);
    expect([code, existsSync(at('shop/report.html'))]).toEqual([0, true]);
  });

  test('JSON lists the written files and the failures', async () => {
    const files = ['--csv', at('a.csv'), '--ndjson', at('a.ndjson'), '--junit', at('a.xml')];
    const { code, stdout } = await runHere([
      'audit',
      'report',
      at('shop/run.sqlite'),
      '--json',
      ...files,
      '--fail-on',
      'noindex,conflict',
    ]);
    const report = JSON.parse(stdout);
    expect(report.files).toEqual([at('a.csv'), at('a.ndjson'), at('a.xml')]);
    expect(report.failures).toHaveLength(4);
    expect(report.agents[0]).toMatchObject({ agent: 'Googlebot', judged: 106, indexable: 50 });
    expect([code, existsSync(at('shop/run.html'))]).toEqual([1, false]);
  });

  test('compare lists the changes between two runs', async () => {
    const text = await runHere(['audit', 'compare', at('shop'), at('later.sqlite')]);
    expect(text.stdout).toContain('lost     https://shop.example/slow  Googlebot: indexable → not-found\n');
    expect(text.stdout).toContain('           status: 200 → 410\n');
    expect(text.stdout).toMatch(/1 for Googlebot and 1 for GPTBot no longer indexable\.\n$/);
    expect(text.code).toBe(1);
    const json = await runHere(['audit', 'compare', at('later.sqlite'), at('shop'), '--json']);
    const lines = json.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toHaveLength(3);
    expect(lines[0]).toMatchObject({ kind: 'won', before: 'not-found', after: null });
    expect(lines[2]).toMatchObject({
      ...{ kind: 'summary', agents: ['Googlebot', 'GPTBot'], appeared: 0 },
      ...{ won: { Googlebot: 1, GPTBot: 1 }, lost: { Googlebot: 0, GPTBot: 0 } },
    });
    expect(json.code).toBe(0);
  });

  test('replay lists the effects of another robots.txt', async () => {
    const { code, stdout } = await runHere([
      'audit',
      'replay',
      at('shop'),
      '--robots',
      at('new.txt'),
      '--agent',
      'GPTBot',
    ]);
    expect(stdout).toContain(
      'lost    https://shop.example/about  GPTBot: blocked by line 3: Disallow: /about # \\x1b[2J',
    );
    expect(stdout).toContain('gained  https://shop.example/products/1  GPTBot: allowed now\n');
    expect(stdout).toMatch(
      /GPTBot: \d+ lost \(\d+ of them indexable\), \d+ gained \(1 of them not seen yet\)\n$/,
    );
    expect(code).toBe(1);
  });

  test('a run without verdicts is judged first', async () => {
    const opened = await openRun(at('odd.sqlite'), 'resume');
    opened.verdicts.clear();
    await opened.set('judged', null);
    await opened.close();
    const { code, stdout, stderr } = await runHere(['audit', 'report', at('odd.sqlite'), '--json']);
    expect(stderr).toContain('has changed since it was judged');
    expect(JSON.parse(stdout).agents[0]).toMatchObject({ judged: 1, indexable: 1 });
    expect(code).toBe(0);
  });

  test.each([
    [['report', 'none.sqlite'], /no run in none.sqlite/],
    [['report', 'README.md'], /cannot use README.md|no run/],
    [
      ['report', at('later.sqlite'), '--fail-on', 'nothing'],
      /--fail-on: unknown reason "nothing"; give any, severity:error, blocked, [^\n]{1,100} or a code of docs/,
    ],
    [['report', at('later.sqlite'), '--junit', at('x.xml')], /--junit requires --fail-on/],
    [['report', at('later.sqlite'), '--csv', at('a.csv/x.csv')], /cannot write .*a\.csv\/x\.csv: /],
    [['compare', at('odd.sqlite'), 'none.sqlite'], /no run in none.sqlite/],
    [['replay', at('odd.sqlite')], /--robots is required/],
    [['replay', at('odd.sqlite'), '--robots', at('none.txt')], /cannot read .*none\.txt: no such file/],
    [
      ['replay', at('odd.sqlite'), '--robots', at('new.txt'), '--agent', ' '],
      /--agent: the User-Agent header " " names no crawler/,
    ],
  ])('%j is a one-line error', async (args, message) => {
    const { code, stdout, stderr } = await runHere(['audit', ...args]);
    expect(stderr).toMatch(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(1);
    expect([code, stdout]).toEqual([2, '']);
  });
});
