import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloneShallow, commit, git } from '../support/repository.ts';
import { ROOT } from '../support/run.ts';

/** The files of this repository that a checkout needs to run the command before it is built. */
const FILES = ['.pre-commit-hooks.yaml', 'scripts/maycrawl.mjs', 'packages/maycrawl/bin/maycrawl.js'];

/** A program in place of npm, for tests without network: notes its arguments, and links what this checkout has built. */
const NPM = `#!/usr/bin/env node
const { appendFileSync, existsSync, mkdirSync, symlinkSync } = require('node:fs');
appendFileSync(process.env.NPM_CALLS, process.cwd() + ' ' + process.argv.slice(2).join(' ') + '\\n');
console.log('output of npm');
for (const path of ['node_modules', 'packages/maycrawl/dist'])
  if (!existsSync(path)) symlinkSync(${JSON.stringify(ROOT)} + path, path);
`;

let scratch = '';
let maycrawl = '';
let site = '';
let env: NodeJS.ProcessEnv = {};
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'maycrawl-checkout-'));
  [maycrawl, site] = [join(scratch, 'maycrawl'), join(scratch, 'site')];
  for (const folder of [maycrawl, site]) {
    mkdirSync(folder);
    git(folder, 'init', '--quiet');
  }
  for (const name of FILES) cpSync(join(ROOT, name), join(maycrawl, name));
  commit(maycrawl, { '.gitignore': 'node_modules\ndist\n', 'package.json': '{"type": "module"}' });
  mkdirSync(join(scratch, 'bin'));
  writeFileSync(join(scratch, 'bin', 'npm'), NPM);
  chmodSync(join(scratch, 'bin', 'npm'), 0o755);
  env = {
    ...process.env,
    PATH: `${join(scratch, 'bin')}${delimiter}${process.env['PATH']}`,
    NPM_CALLS: join(scratch, 'calls'),
    PRE_COMMIT_HOME: join(scratch, 'pre-commit'),
  };
});
afterEach(() => rmSync(scratch, { recursive: true }));

function run(program: string, ...args: readonly string[]) {
  return spawnSync(program, args, { cwd: site, env, encoding: 'utf8' });
}

test('the first run installs what the lockfile pins and builds; standard output is that of the command', () => {
  commit(site, { 'robots.txt': 'User-agent: *\nDisallow: x\n' });
  const script = join(maycrawl, 'scripts', 'maycrawl.mjs');
  for (const _run of [1, 2]) {
    const { status, stdout } = run(process.execPath, script, 'lint', 'robots.txt', '--format', 'json');
    expect(status).toBe(1);
    expect(JSON.parse(stdout).findings[0].code).toBe('pattern-without-slash');
  }
  expect(readFileSync(join(scratch, 'calls'), 'utf8')).toBe(
    `${maycrawl} install --no-save --ignore-scripts\n${maycrawl} run build:command\n`,
  );
});

test('an installation that fails is exit code 2, and nothing is checked', () => {
  writeFileSync(join(scratch, 'bin', 'npm'), '#!/bin/sh\nexit 1\n');
  const { status, stdout, stderr } = run(
    process.execPath,
    join(maycrawl, 'scripts', 'maycrawl.mjs'),
    'crawlers',
  );
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toContain('npm install --no-save --ignore-scripts failed');
});

describe('pre-commit', () => {
  const [hook] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
  const hasPreCommit = spawnSync('pre-commit', ['--version']).status === 0;

  test('the entry of the hook is a program of the repository', () => {
    commit(site, { 'robots.txt': 'User-agent: *\nDisallow: x\n' });
    expect(hook).toMatchObject({ id: 'maycrawl-lint', language: 'script', require_serial: true });
    const [program, ...args] = hook.entry.split(' ');
    const { status, stdout } = run(join(maycrawl, program), ...args, 'robots.txt');
    expect(status).toBe(1);
    expect(stdout).toMatch(/pattern-without-slash/);
    expect(new RegExp(hook.files).test('public/robots.txt')).toBe(true);
  });

  test.skipIf(!hasPreCommit)('pre-commit runs the hook from a local path (needs pre-commit)', () => {
    const example = readFileSync(join(ROOT, 'examples/ci/pre-commit.yaml'), 'utf8');
    commit(site, {
      '.pre-commit-config.yaml': example
        .replace('/opt/maycrawl', maycrawl)
        .replace('COMMIT', git(maycrawl, 'rev-parse', 'HEAD')),
      'public/robots.txt': 'User-agent: *\nDisallow: x\n',
    });
    const bad = run('pre-commit', 'run', '--all-files');
    expect(bad.stdout).toMatch(
      /maycrawl lint\.+Failed[\s\S]*public\/robots\.txt[\s\S]*pattern-without-slash/,
    );
    expect(bad.status).toBe(1);
    commit(site, { 'public/robots.txt': 'User-agent: *\nDisallow: /x\n' });
    expect(run('pre-commit', 'run', '--all-files')).toMatchObject({ status: 0 });
  });
});

describe('GitLab', () => {
  const job = parse(readFileSync(join(ROOT, 'examples/ci/gitlab.yml'), 'utf8'))['robots.txt'];

  /** Runs the script of the job as a runner does, in a shallow clone. */
  function runJob(variables: Readonly<Record<string, string>>) {
    const clone = join(scratch, 'clone');
    cloneShallow(site, 'HEAD', clone);
    const script = ['set -eo pipefail', ...job.before_script, ...job.script].join('\n');
    const { status, stdout, stderr } = spawnSync('bash', ['-c', script], {
      cwd: clone,
      encoding: 'utf8',
      env: {
        ...{ ...env, ...job.variables, MAYCRAWL_FOLDER: join(scratch, 'copy'), MAYCRAWL_URL: maycrawl },
        ...{ MAYCRAWL_COMMIT: git(maycrawl, 'rev-parse', 'HEAD'), ...variables },
      },
    });
    const read = (name: string): string => readFileSync(join(clone, name), 'utf8');
    return { status, output: stdout + stderr, read };
  }

  test('a merge request is compared with its base; findings and expectations are artifacts', () => {
    const base = commit(site, { 'robots.txt': 'User-agent: *\nDisallow: /old\n' });
    commit(site, {
      'robots.txt': 'User-agent: *\nDissallow: /new\n',
      'robots.test.yaml': '- agent: Googlebot\n  block: ["/new*"]\n',
    });
    const { status, output, read } = runJob({ CI_MERGE_REQUEST_DIFF_BASE_SHA: base });
    expect(output).toMatch(/newly blocked {2}\/new/);
    expect(status).toBe(0);
    const { codequality, junit } = job.artifacts.reports;
    expect(JSON.parse(read(codequality))).toMatchObject([
      { check_name: 'misspelled-field-name', location: { path: 'robots.txt', lines: { begin: 2 } } },
    ]);
    expect(read(junit)).toMatch(/<testsuite name="robots.txt" tests="1" failures="0"/);
  });

  test.each([
    ['an error of the linter', 'User-agent: *\nDisallow: x\n', '- agent: Googlebot\n  allow: [/]\n'],
    ['a broken expectation', 'User-agent: *\nDisallow: /\n', '- agent: Googlebot\n  allow: [/]\n'],
  ])('%s fails the job', (_name, robots, tests) => {
    const base = commit(site, { 'robots.txt': '' });
    commit(site, { 'robots.txt': robots, 'robots.test.yaml': tests });
    expect(runJob({ CI_COMMIT_BEFORE_SHA: base }).status).toBe(1);
  });
});
