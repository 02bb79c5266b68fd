import { execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PROFILES } from '@maycrawl/core';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { formatDuration, parseDuration } from '../../src/cli/input/duration.ts';
import { readConfig } from '../../src/cli/options/config-file.ts';
import { PROFILE, USER_AGENT } from '../../src/cli/options/fetch-options.ts';
import { describeType, parseOption } from '../../src/cli/options/option.ts';
import { resolveOptions } from '../../src/cli/options/resolve.ts';
import { ownCache, run } from '../support/run.ts';

let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-options-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string): string => {
  const path = join(folder, name);
  writeFileSync(path, content);
  return path;
};

const TABLE = {
  timeout: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1ms', '1h'],
    description: 'a time',
    default: '30s',
  },
  maxPages: { type: 'count', placeholder: '<count>', range: [1, 100], description: 'a number' },
  agent: { type: 'text', placeholder: '<name>', description: 'a name', isList: true },
  allowPrivate: { type: 'flag', description: 'a flag' },
  tokens: { type: 'text', placeholder: '<token>', description: 'a secret', isList: true, isSecret: true },
} as const;

const settings = (environment: Record<string, string>, values?: Record<string, unknown>) => ({
  section: 'serve' as const,
  environment,
  file: values && { path: 'x.yaml', values },
  names: Object.keys(TABLE),
});

test('a limit is off only if that is written', () => {
  const limit = {
    type: 'count',
    placeholder: '<count>',
    range: [1, 500],
    description: 'a limit',
    acceptsNone: true,
  } as const;
  expect(describeType(limit)).toBe('whole number from 1 to 500, or none');
  expect(parseOption(limit, ['500'], '--limit')).toBe(500);
  expect(parseOption(limit, ['none'], '--limit')).toBe(Number.POSITIVE_INFINITY);
  for (const wrong of ['', '0', '501', 'NONE', 'Infinity', '-1'])
    expect(() => parseOption(limit, [wrong], '--limit')).toThrow(
      /^--limit must be a whole number from 1 to 500, not .*; `none` is no limit$/,
    );
});

test.each(['', 'a\nb', 'ü'])('a header of requests has printable ASCII characters, not %j', (text) => {
  expect(parseOption(USER_AGENT, ['Bot/1.0 (+https://a.example)'], '--user-agent')).toBe(
    'Bot/1.0 (+https://a.example)',
  );
  expect(() => parseOption(USER_AGENT, [text], '--user-agent')).toThrow(
    /^--user-agent must be printable ASCII characters, not "/,
  );
});

describe('precedence', () => {
  test('the first value in this order applies: option, environment, file, default', () => {
    const read = (given: object, environment: Record<string, string>, values?: Record<string, unknown>) =>
      resolveOptions(TABLE, { ...given }, settings(environment, values)).timeout;
    expect(read({}, {})).toBe(30_000);
    expect(read({}, {}, { timeout: '3s' })).toBe(3_000);
    expect(read({}, { MAYCRAWL_SERVE_TIMEOUT: '2s' }, { timeout: '3s' })).toBe(2_000);
    expect(read({ timeout: '1s' }, { MAYCRAWL_SERVE_TIMEOUT: '2s' }, { timeout: '3s' })).toBe(1_000);
    // A compose file passes an unset variable as an empty one.
    expect(read({}, { MAYCRAWL_SERVE_TIMEOUT: '' }, { timeout: '3s' })).toBe(3_000);
  });

  test('the environment and the file accept each kind of value', () => {
    const environment = {
      MAYCRAWL_SERVE_MAX_PAGES: '7',
      MAYCRAWL_SERVE_AGENT: 'a, b',
      MAYCRAWL_SERVE_ALLOW_PRIVATE: 'false',
      MAYCRAWL_SERVE_TOKENS: '["x,y"]',
    };
    const expected = {
      timeout: 30_000,
      maxPages: 7,
      agent: ['a', 'b'],
      allowPrivate: false,
      tokens: ['x,y'],
    };
    expect(resolveOptions(TABLE, {}, settings(environment))).toEqual(expected);
    const values = { maxPages: 7, agent: ['a', 'b'], allowPrivate: false };
    expect(resolveOptions(TABLE, {}, settings({ MAYCRAWL_SERVE_TOKENS: '["x,y"]' }, values))).toEqual(
      expected,
    );
  });
});

describe('one-line error for', () => {
  test.each<[string, object, Record<string, string>, Record<string, unknown> | undefined, RegExp]>([
    [
      'a plain number',
      { timeout: '30' },
      {},
      undefined,
      /^--timeout 30: add a unit, such as 30s \(ms, s, m, h or d; from 1ms to 1h\)/,
    ],
    [
      'a duration that is too long',
      { timeout: '2h' },
      {},
      undefined,
      /^--timeout must be a duration from 1ms to 1h, not 2h/,
    ],
    [
      'a number with other characters than digits',
      { maxPages: '1e2' },
      {},
      undefined,
      /^--max-pages must be a whole number from 1 to 100/,
    ],
    [
      'a variable',
      {},
      { MAYCRAWL_SERVE_TIMEOUT: '5' },
      undefined,
      /^MAYCRAWL_SERVE_TIMEOUT 5: add a unit, such as 5s/,
    ],
    ['a number in the file', {}, {}, { timeout: 5 }, /^x.yaml: serve.timeout 5: add a unit, such as 5s/],
    [
      'a list in the file',
      {},
      {},
      { timeout: ['5s'] },
      /^x.yaml: serve.timeout must be a string or a number$/,
    ],
    ['a text for a list', {}, {}, { agent: 'a' }, /^x.yaml: serve.agent must be a list of strings$/],
    [
      'a string for a flag',
      {},
      {},
      { allowPrivate: 'no' },
      /^x.yaml: serve.allowPrivate must be true or false$/,
    ],
    [
      'another word for a flag',
      {},
      { MAYCRAWL_SERVE_ALLOW_PRIVATE: 'yes' },
      undefined,
      /must be true or false, not yes$/,
    ],
    ['no JSON', {}, { MAYCRAWL_SERVE_AGENT: '["a"' }, undefined, /^MAYCRAWL_SERVE_AGENT begins with "\["/],
    [
      'an unknown variable',
      {},
      { MAYCRAWL_SERVE_TIMOUT: '5s' },
      undefined,
      /MAYCRAWL_SERVE_TIMOUT is not an option/,
    ],
    ['an unknown key', {}, {}, { timout: '5s' }, /^x.yaml: serve.timout is not an option of serve$/],
    ['an empty secret', {}, { MAYCRAWL_SERVE_TOKENS: '' }, undefined, /^MAYCRAWL_SERVE_TOKENS is empty: /],
    ['a secret in the file', {}, {}, { tokens: ['x'] }, /is a secret: set MAYCRAWL_SERVE_TOKENS instead$/],
  ])('%s', (_name, given, environment, values, message) => {
    expect(() => resolveOptions(TABLE, { ...given }, settings(environment, values))).toThrow(message);
  });
});

describe('the configuration file', () => {
  test('JSON and YAML have the same meaning', async () => {
    const json = write('c.json', '{ "serve": { "timeout": "5s" } }');
    const yaml = write('c.yaml', 'serve:\n  timeout: 5s\n');
    for (const path of [json, yaml])
      expect(await readConfig('serve', path)).toEqual({ path, values: { timeout: '5s' } });
    expect(await readConfig('audit', json)).toEqual({ path: json, values: {} });
  });

  test.each([
    ['no such file', 'none.json', undefined, /cannot read .*none.json: no such file/],
    ['no JSON', 'c.json', '{', /cannot read .*c.json: /],
    ['no YAML', 'c.yaml', 'a: [', /cannot read .*c.yaml: /],
    ['no sections', 'c.yaml', '- a', /it must have sections/],
    ['an unknown section', 'c.yaml', 'server: {}', /server is not a section; sections: serve, watch, audit/],
    ['no options', 'c.yaml', 'serve: 3', /serve must have options/],
    ['too much', 'c.yaml', ' '.repeat(2 ** 16 + 1), /has more than 65536 bytes/],
    ['too many levels', 'c.yaml', '- '.repeat(32_000), /cannot read .*c.yaml: it has more than \d+ levels/],
  ])('%s: a one-line error', async (_name, name, content, message) => {
    const path = content === undefined ? join(folder, name) : write(name, content);
    await expect(readConfig('serve', path)).rejects.toThrow(message);
  });

  test('an endless file is read up to the limit', async () => {
    await expect(readConfig('serve', '/dev/zero')).rejects.toThrow(/has more than 65536 bytes/);
  });

  test('the command reads the file in the current directory, or the file named by --config', async () => {
    const options = (environment: object = {}) => ({ cwd: folder, env: { ...ownCache(), ...environment } });
    write('maycrawl.config.yaml', 'watch:\n  database: watch.sqlite\n');
    expect((await run(['watch', 'add', 'h.example'], '', options())).code).toBe(0);
    const named = ['watch', 'list', '--json', '--database', join(folder, 'watch.sqlite')];
    expect((await run(named)).stdout).toContain('https://h.example');
    const variable = options({ MAYCRAWL_WATCH_DATABASE: join(folder, 'other.sqlite') });
    expect((await run(['watch', 'list', '--json'], '', variable)).stdout).toBe('');
    const other = write('other.json', '{ "watch": { "databse": "x" } }');
    for (const [args, env] of [
      [['--config', other], {}],
      [[], { MAYCRAWL_CONFIG: other }],
    ] as const) {
      const { code, stderr } = await run(['watch', 'list', ...args], '', options(env));
      expect({ code, stderr }).toEqual({
        code: 2,
        stderr: `maycrawl: ${other}: watch.databse is not an option of watch\n`,
      });
    }
    write('maycrawl.config.json', '{}');
    const { stderr } = await run(['watch', 'list'], '', options());
    expect(stderr).toBe(
      'maycrawl: found maycrawl.config.json and maycrawl.config.yaml: choose one with --config\n',
    );
  });

  test('a pipe or a loop of links in the current directory is an error: a pipe would be read without end', async () => {
    const path = join(folder, 'maycrawl.config.yaml');
    const list = () => run(['watch', 'list'], '', { cwd: folder, env: ownCache() });
    execFileSync('mkfifo', [path]);
    // A command that reads the pipe gets a file that is invalid.
    const writer = spawn('sh', ['-c', `echo 'serve: 1' >'${path}'`]);
    try {
      const stderr = 'maycrawl: cannot read maycrawl.config.yaml: it is not a regular file\n';
      expect(await list()).toEqual({ code: 2, stdout: '', stderr });
    } finally {
      writer.kill();
    }
    rmSync(path);
    symlinkSync(path, path);
    const stderr = 'maycrawl: cannot read maycrawl.config.yaml: its symbolic links form a loop\n';
    expect(await list()).toEqual({ code: 2, stdout: '', stderr });
  });
});

describe('durations and sizes', () => {
  test('both bounds of a number are valid', () => {
    const { maxPages } = TABLE;
    expect(['1', '100'].map((each) => parseOption(maxPages, [each], '--x'))).toEqual([1, 100]);
    for (const each of ['0', '101', '1.0', '1e1'])
      expect(() => parseOption(maxPages, [each], '--x'), each).toThrow('from 1 to 100');
  });

  test('a duration without a limit of its own is at most a hundred years', () => {
    const every = {
      type: 'duration',
      placeholder: '<time>',
      range: ['1m', undefined],
      description: 'a time',
    } as const;
    expect(parseOption(every, ['36500d'], '--every')).toBe(36_500 * 86_400_000);
    expect(() => parseOption(every, ['999999999d'], '--every')).toThrow(
      '--every must be a duration of at most 36500d, not 999999999d',
    );
  });

  test.each([
    ['0s', 0],
    ['500ms', 500],
    ['30s', 30_000],
    ['15m', 900_000],
    ['12h', 43_200_000],
    ['400d', 34_560_000_000],
  ])('%s', (written, milliseconds) => {
    expect(parseDuration(written)).toBe(milliseconds);
    if (milliseconds > 0) expect(parseDuration(formatDuration(milliseconds))).toBe(milliseconds);
  });

  test.each(['', '30', 's', '1.5h', '-1s', '1 h', '1w', '1H', '9999999999s', '٣s'])(
    '%j is not a duration',
    (written) => {
      expect(parseDuration(written)).toBe(undefined);
    },
  );

  test('sizes are parsed with their units', () => {
    const maxBytes = { type: 'size', placeholder: '<size>', description: 'a size' } as const;
    const sizes = ['7', '2kB', '500MB', '3gb'];
    expect(sizes.map((each) => parseOption(maxBytes, [each], '--x'))).toEqual([7, 2e3, 5e8, 3e9]);
    for (const each of ['', '0', '-1', '1.5MB', '1TB', 'MB'])
      expect(() => parseOption(maxBytes, [each], '--x'), each).toThrow(
        /^--x must be a size such as 500MB or 2GB, not /,
      );
  });
});

test('the option of profiles names every profile', () => {
  const names = PROFILES.map(({ name }) => name);
  expect(PROFILE.description.match(/[a-z]+-?\d+|google\b/g)).toEqual(names);
  expect(PROFILE.default).toBe(names[0]);
});
