import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { cloneShallow, commit, git } from '../support/repository.ts';
import { ROOT } from '../support/run.ts';

const ACTION = parse(readFileSync(join(ROOT, 'action.yml'), 'utf8'));
const [STEP] = ACTION.runs.steps;

const BEFORE = 'User-agent: *\nDisallow: /old\n';
const AFTER = 'User-agent: *\nDisallow: /new\n';

let scratch = '';
let origin = '';
let clone = '';
beforeEach(() => {
  scratch = mkdtempSync(join(tmpdir(), 'maycrawl-action-'));
  [origin, clone] = [join(scratch, 'origin'), join(scratch, 'clone')];
  git(scratch, 'init', '--quiet', 'origin');
});
afterEach(() => rmSync(scratch, { recursive: true }));

interface Run {
  readonly status: number | null;
  readonly stdout: string;
  readonly summary: string;
  readonly outputs: Readonly<Record<string, string>>;
}

/** Runs the step of action.yml in the environment that GitHub sets up. */
function runAction(inputs: Readonly<Record<string, string>> = {}, event: object = {}): Run {
  const [summary, output, eventPath] = ['summary.md', 'output', 'event.json'].map((name) =>
    join(scratch, name),
  );
  writeFileSync(summary as string, '');
  writeFileSync(output as string, '');
  writeFileSync(eventPath as string, JSON.stringify(event));
  const env = Object.entries(STEP.env as Record<string, string>).map(([name, value]) => {
    const [, input = ''] = /^\$\{\{ inputs\.([\w-]+) \}\}$/.exec(value) ?? [];
    return [name, inputs[input] ?? ACTION.inputs[input].default];
  });
  const { status, stdout } = spawnSync(
    'bash',
    ['--noprofile', '--norc', '-e', '-o', 'pipefail', '-c', STEP.run],
    {
      cwd: clone,
      encoding: 'utf8',
      env: {
        ...process.env,
        ...Object.fromEntries(env),
        ...{
          GITHUB_WORKSPACE: clone,
          GITHUB_ACTION_PATH: ROOT,
          GITHUB_EVENT_PATH: eventPath,
          RUNNER_TEMP: scratch,
        },
        ...{ GITHUB_STEP_SUMMARY: summary, GITHUB_OUTPUT: output, GITHUB_SERVER_URL: 'https://h.example' },
        ...{ GITHUB_ACTION_REPOSITORY: 'o/maycrawl', GITHUB_ACTION_REF: 'v1' },
      },
    },
  );
  const outputs = readFileSync(output as string, 'utf8')
    .trim()
    .split('\n');
  return {
    ...{ status, stdout, summary: readFileSync(summary as string, 'utf8') },
    outputs: Object.fromEntries(outputs.map((line) => line.split(/=(.*)/s).slice(0, 2))),
  };
}

/** A group that the target branch gets after the pull request was opened. */
const LATER = '\nUser-agent: CCBot\nDisallow: /\n';

/** Creates a pull request of a fork, whose target branch continues, and checks out its merge as actions/checkout does. */
function checkOutPullRequest(robots: string): object {
  const base = commit(origin, { 'robots.txt': BEFORE });
  git(origin, 'checkout', '--quiet', '-b', 'fork');
  commit(origin, { 'robots.txt': robots });
  git(origin, 'checkout', '--quiet', 'main');
  commit(origin, { 'robots.txt': `${BEFORE}${LATER}` });
  git(origin, 'checkout', '--quiet', '--detach', 'main');
  git(origin, 'merge', '--quiet', '--no-ff', '--no-commit', '--strategy=ours', 'fork');
  commit(origin, { 'robots.txt': `${robots}${LATER}` });
  git(origin, 'update-ref', 'refs/pull/1/merge', 'HEAD');
  git(origin, 'checkout', '--quiet', 'main');
  cloneShallow(origin, 'refs/pull/1/merge', clone);
  // The event has the target branch of the time when it was sent.
  return { pull_request: { base: { sha: base }, head: { repo: { fork: true } } } };
}

test('inputs are environment variables, never text of a script; nothing is run by its name in a registry', () => {
  expect(STEP.run).not.toContain('${{');
  expect(Object.values(STEP.env)).toEqual(Object.keys(ACTION.inputs).map((name) => `\${{ inputs.${name} }}`));
  const files = ['action.yml', '.pre-commit-hooks.yaml', 'scripts/maycrawl.mjs', 'scripts/action/main.mjs'];
  for (const file of files)
    expect(readFileSync(join(ROOT, file), 'utf8')).not.toMatch(/npx|npm exec|^\s*additional_dep/m);
  for (const [name, { value }] of Object.entries(ACTION.outputs as Record<string, { value: string }>))
    expect(value).toBe(`\${{ steps.${STEP.id}.outputs.${name} }}`);
});

test('inputs that are code of a shell are file names', () => {
  commit(origin, { 'robots.txt': BEFORE });
  cloneShallow(origin, 'HEAD', clone);
  const { status, stdout } = runAction({ file: '"; touch injected; $(touch injected)' });
  expect(status).toBe(2);
  expect(stdout).toBe('::error ::cannot read "; touch injected; $(touch injected): no such file\n');
  expect(runAction({ base: '--upload-pack=touch injected' }).summary).toContain('is not a revision');
  expect(git(clone, 'status', '--short')).toBe('');
});

describe('a pull request of a fork, in a shallow clone', () => {
  test('is compared with the state of the target branch that it was merged with', () => {
    const event = checkOutPullRequest(AFTER);
    const { status, stdout, summary, outputs } = runAction({}, event);
    expect({ status, stdout }).toEqual({ status: 0, stdout: '' });
    expect(summary).toMatch(/newly blocked {2}\/new/);
    expect(summary).toMatch(/newly allowed {2}\/old/);
    // The target branch had this change already.
    expect(summary).not.toContain('CCBot: ');
    expect(summary).not.toMatch(/newly blocked {2}\/ /);
    expect(outputs).toEqual({ errors: '0', warnings: '0', changed: 'true', 'newly-blocked': '' });
  });

  test('fails if a named crawler is newly blocked, with an annotation of the rule', () => {
    const file = 'User-agent: GPTBot\nDisallow: /n%0Aw\n\nUser-agent: *\nDisallow: /old\nAllow: /old/a\n';
    const event = checkOutPullRequest(file);
    const { status, stdout, outputs } = runAction(
      { 'fail-on-blocked': 'Googlebot, GPTBot\nbingbot,*' },
      event,
    );
    expect(status).toBe(1);
    expect(stdout.split('\n').filter((line) => line.includes('newly'))).toEqual([
      '::error file=robots.txt,line=2,title=newly blocked::GPTBot: newly blocked, for example /n%250Aw',
    ]);
    expect(outputs['newly-blocked']).toBe('GPTBot');
  });

  test('`*` is any crawler without a group of its own', () => {
    const event = checkOutPullRequest('User-agent: Googlebot\n\nUser-agent: *\nDisallow: /\n');
    const { status, stdout } = runAction({ 'fail-on-blocked': '*' }, event);
    expect(status).toBe(1);
    expect(stdout).toContain('::Crawlers without a group of their own: newly blocked, for example /');
  });

  test('a link to a file of the machine is not read', () => {
    const event = checkOutPullRequest(AFTER);
    for (const target of ['.git/config', '/etc/passwd']) {
      rmSync(join(clone, 'robots.txt'));
      symlinkSync(target, join(clone, 'robots.txt'));
      const { status, stdout, summary } = runAction({}, event);
      expect({ status, stdout }).toEqual({
        status: 2,
        stdout: '::error ::robots.txt is not a file of the repository\n',
      });
      expect(summary).not.toMatch(/root|repositoryformatversion/);
    }
  });
});

describe('a push, in a shallow clone', () => {
  test('is compared with the state before the push', () => {
    const before = commit(origin, { 'public/robots.txt': BEFORE });
    commit(origin, { 'public/robots.txt': `${AFTER}Disallow: /between\n` });
    commit(origin, { 'public/robots.txt': AFTER });
    cloneShallow(origin, 'HEAD', clone);
    const { status, summary } = runAction({ file: 'public/robots.txt' }, { before });
    expect(status).toBe(0);
    expect(summary).toMatch(/newly blocked {2}\/new/);
    expect(summary).not.toContain('/between');
  });

  test('to a new branch is compared with the commit before', () => {
    commit(origin, { 'robots.txt': BEFORE });
    commit(origin, { 'robots.txt': AFTER });
    cloneShallow(origin, 'HEAD', clone);
    expect(runAction({}, { before: '0'.repeat(40) }).summary).toMatch(/newly blocked {2}\/new/);
  });

  test('can be compared with a branch that the clone does not have', () => {
    commit(origin, { 'robots.txt': BEFORE });
    git(origin, 'branch', 'live');
    commit(origin, { 'robots.txt': AFTER });
    cloneShallow(origin, 'HEAD', clone);
    expect(runAction({ base: 'origin/live' }).summary).toMatch(/newly blocked {2}\/new/);
  });

  test('a base that cannot be fetched is reported, and fails if crawlers are named', () => {
    commit(origin, { 'robots.txt': BEFORE });
    cloneShallow(origin, 'HEAD', clone);
    const unnamed = runAction({ base: 'HEAD~5' });
    expect(unnamed.status).toBe(0);
    expect(unnamed.outputs['changed']).toBe('unknown');
    expect(unnamed.summary).toContain('this clone has no revision HEAD~5');
    const named = runAction({ base: 'HEAD~5', 'fail-on-blocked': 'Googlebot' });
    expect(named.status).toBe(2);
    expect(named.stdout).toMatch(/^::error ::cannot find out whether crawlers are newly blocked/);
  });

  test('a new file is compared with no file', () => {
    const before = commit(origin, { 'other.txt': '' });
    commit(origin, { 'robots.txt': AFTER });
    cloneShallow(origin, 'HEAD', clone);
    const { status, summary } = runAction({ 'fail-on-blocked': 'Googlebot' }, { before });
    expect(summary).toContain(`There was no robots.txt in ${before}.`);
    expect(status).toBe(1);
  });
});

test('errors and broken expectations fail with annotations; SARIF is written with links to the pages of the action', () => {
  commit(origin, {
    'robots.txt': `${AFTER}Disallow: nothing\n`,
    'robots.test.yaml': '- agent: Googlebot\n  allow: ["/new*"]\n',
  });
  cloneShallow(origin, 'HEAD', clone);
  const { status, stdout, summary, outputs } = runAction({ sarif: 'robots.sarif' });
  expect(status).toBe(1);
  expect(stdout).toMatch(/^::error file=robots\.txt,line=3,.*title=pattern-without-slash::/m);
  expect(stdout).toMatch(/^::error file=robots\.test\.yaml::Googlebot: allow \/new\*/m);
  expect(summary).toMatch(/0 met, 1 not met/);
  expect(outputs).toMatchObject({ errors: '1', sarif: 'robots.sarif' });
  const [{ tool, results }] = JSON.parse(readFileSync(join(clone, 'robots.sarif'), 'utf8')).runs;
  expect(tool.driver.rules[0].helpUri).toMatch('https://h.example/o/maycrawl/blob/v1/docs/rules/');
  expect(results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('robots.txt');
});

test.each(['robots.tests.yaml', '.'])('expectations that cannot be read fail: %s', (tests) => {
  commit(origin, { 'robots.txt': AFTER });
  cloneShallow(origin, 'HEAD', clone);
  expect(runAction({ tests }).status).toBe(2);
});

test('text of the file cannot end the block of the summary', () => {
  commit(origin, { 'robots.txt': 'User-agent: *\nDisallow: ```\n```\n' });
  cloneShallow(origin, 'HEAD', clone);
  expect(runAction().summary).toMatch(/^````\n[\s\S]*"```"[\s\S]*^````\n/m);
});
