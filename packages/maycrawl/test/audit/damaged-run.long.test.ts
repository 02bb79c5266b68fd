/** Damaged runs, and databases of other programs: a one-line error without a crash or an endless loop. */
import { cpSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { Sqlite } from '../../../client/test/support/sqlite.ts';
import { createTestFolder } from '../support/folder.ts';
import { runHere } from '../support/run-here.ts';

const folder = createTestFolder('damaged');
const good = join(folder, 'good.sqlite');
beforeAll(async () => {
  const site = await serve(({ url = '' }, response) => {
    const isFile = url === '/robots.txt';
    response.setHeader('content-type', isFile ? 'text/plain' : 'text/html');
    if (isFile) response.end('User-agent: *\nDisallow: /x\n');
    else response.end('<title>A</title><link rel="canonical" href="/"><a href="/a">a</a><a href="/x">x</a>');
  });
  expect((await runHere(['audit', `${site.origin}/`, '--database', good])).code).toBe(0);
  await site.close();
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\nDisallow: /a\n');
});

const set = (name: string, value: string): string =>
  `update run set value = json_set(value, '$.${name}', json('${value}')) where name = 'settings'`;

test.each([
  ['an agent that no line can name', set('agents', '["Bot!"]'), /no user-agent line can name "Bot!"/],
  ['agents that are not a list', set('agents', '"Googlebot"'), /"agents" is invalid/],
  ['an unknown profile', set('profile', '"nope"'), /unknown profile: "nope"/],
  ['settings that are no JSON', "update run set value = '{' where name = 'settings'", /they are not JSON/],
  ['an invalid URL', "update urls set url = 'nope' || key", /damaged: the table "urls" has an invalid row/],
  [
    'a key beyond the safe integers',
    'update urls set key = 9007199254740993 where key = 2',
    /a URL has an invalid key/,
  ],
  ['invalid facts', "update pages set facts = '{}'", /damaged: the table "pages" has an invalid row/],
  ['an unknown use of robots.txt', "update robots set policy = 'x'", /damaged: a row of the table "robots"/],
  ['a missing table', 'drop table pages', /no table "pages"/],
  ['a table of another build', 'alter table urls drop column hops', /"urls" has no column "hops"/],
  [
    'an endless view in place of a table',
    `drop table robots; create view robots as with recursive n(i) as (select 1 union all select i + 1 from n)
       select 'http://a' as origin, 'rules' as policy, null as code, null as message, 1 as fetched_at, x'' as body from n`,
    /it has a view or a trigger/,
  ],
  [
    'a trigger',
    "create trigger t before update on run begin select raise(abort, 'x'); end",
    /it has a view or a trigger/,
  ],
  ['a lost seed', "delete from run where name = 'seed'", /seed of its hashes is lost/],
])('%s', async (_name, damage, message) => {
  const path = damageCopy(damage);
  const commands = [
    ['report', path, '--out', join(folder, 'report.html'), '--fail-on', 'any,conflict'],
    ['--resume', '--database', path],
  ];
  for (const command of commands) {
    const { code, stderr } = await runHere(['audit', ...command]);
    expect(code, stderr).toBe(2);
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/fault|\n {4}at /);
  }
});

/** Copies the good run, and changes the copy. */
function damageCopy(statement: string): string {
  const path = join(folder, 'damaged.sqlite');
  rmSync(path, { force: true });
  cpSync(good, path);
  const db = new Sqlite(path);
  db.exec(statement);
  db.close();
  return path;
}

test('a pattern in the settings that cannot match is an error', async () => {
  const path = damageCopy(set('include', '["nope"]'));
  const { code, stderr } = await runHere(['audit', '--resume', '--database', path]);
  expect([code, stderr]).toEqual([2, expect.stringMatching(/^maycrawl: a pattern must begin with/)]);
  expect(stderr).not.toContain('fault');
});

test('a run with damaged verdicts is judged again', async () => {
  const path = damageCopy(`update run set value = '{"at":1}' where name = 'judged'`);
  const { code, stderr } = await runHere(['audit', 'replay', path, '--robots', join(folder, 'robots.txt')]);
  expect(code, stderr).toBe(1);
  expect(stderr).toContain('has changed since it was judged');
});
