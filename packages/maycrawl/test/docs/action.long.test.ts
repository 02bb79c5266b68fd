import { execFileSync, spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parse } from 'yaml';
import { BIN, ROOT } from '../support/run.ts';

let folder = '';
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'maycrawl-action-'));
  const git = (...args: string[]) =>
    execFileSync('git', ['-c', 'user.name=t', '-c', 'user.email=t@t.example', ...args], { cwd: folder });
  git('init', '-q');
  for (const rule of ['/old', '/new']) {
    writeFileSync(join(folder, 'robots.txt'), `User-agent: *\nDisallow: ${rule}\n`);
    git('add', '.');
    git('commit', '-q', '-m', rule);
  }
});
afterAll(() => rmSync(folder, { recursive: true }));

/** Runs the steps of the action in the way that GitHub does. */
function runAction(inputs: Readonly<Record<string, string>> = {}): {
  status: number | null;
  stdout: string;
  summary: string;
} {
  const { runs } = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
  const summary = join(folder, 'summary.md');
  writeFileSync(summary, '');
  const { status, stdout } = spawnSync('bash', ['-c', runs.steps[0].run], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      ...process.env,
      ...{
        GITHUB_ACTION_PATH: ROOT,
        GITHUB_STEP_SUMMARY: summary,
        ROBOTS: 'robots.txt',
        TESTS: 'robots.test.yaml',
      },
      ...{ BASE: 'HEAD~1', MAYCRAWL: `${process.execPath} ${BIN}` },
      ...inputs,
    },
  });
  return { status, stdout, summary: readFileSync(summary, 'utf8') };
}

test('the summary describes a change', () => {
  const { status, stdout, summary } = runAction();
  expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
  expect(summary).toMatch(/newly blocked {2}\/new/);
  expect(summary).toMatch(/newly allowed {2}\/old/);
});

test('a clone without the base revision is an error, not a missing file', () => {
  const { status, summary } = runAction({ BASE: 'HEAD~5' });
  expect(summary).toContain('this clone has no revision HEAD~5');
  expect(summary).not.toContain('There was no');
  expect(status).toBe(0);
});

test.each(['robots.tests.yaml', '.'])(
  'the action fails if it cannot read the expectations in %s',
  (TESTS) => {
    const { status, summary } = runAction({ TESTS });
    expect(status).toBe(1);
    expect(summary).toContain(`cannot read ${TESTS}`);
  },
);

test('a file name that starts with a dash is not an option', () => {
  expect(runAction({ ROBOTS: '--help' }).status).toBe(2);
});

test('the action fails and annotates errors and broken expectations', () => {
  writeFileSync(join(folder, 'robots.test.yaml'), '- agent: Googlebot\n  allow: ["/new*"]\n');
  writeFileSync(join(folder, 'robots.txt'), 'User-agent: *\nDisallow: /new\nDisallow: nothing\n');
  const { status, stdout, summary } = runAction();
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error file=robots\.txt,line=3,.*title=pattern-without-slash::/m);
  expect(stdout).toMatch(/^::error file=robots\.test\.yaml::Googlebot: allow \/new\*/m);
  expect(summary).toMatch(/0 met, 1 not met/);
});

test('the pre-commit hook runs an existing command', () => {
  const [hook] = parse(readFileSync(join(ROOT, '.pre-commit-hooks.yaml'), 'utf8'));
  const [command, ...args] = hook.entry.split(' ');
  expect(command).toBe('maycrawl');
  const { status, stdout } = spawnSync(process.execPath, [BIN, ...args, 'robots.txt'], {
    cwd: folder,
    encoding: 'utf8',
  });
  expect(status).toBe(1);
  expect(stdout).toMatch(/pattern-without-slash/);
  expect(new RegExp(hook.files).test('public/robots.txt')).toBe(true);
});
