import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const REPOSITORY = 'https://forge.test/owner/name';
const PACKAGES = ['core', 'client', 'maycrawl'];

/** What a release changes, and nothing else. */
const FILES = [
  ...['package.json', 'package-lock.json', 'bench/package.json', 'README.md', 'CITATION.cff', 'CHANGELOG.md'],
  ...['editors/vscode/package.json', 'editors/vscode/package-lock.json', 'packages/web/package.json'],
  ...PACKAGES.flatMap((name) => [`packages/${name}/package.json`, `packages/${name}/README.md`]),
  'packages/maycrawl/src/cli/options/fetch-options.ts',
  ...readdirSync(join(ROOT, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const readJson = (path: string): Record<string, unknown> => JSON.parse(readFileSync(path, 'utf8'));
const PRESENT = String(readJson(join(ROOT, 'package.json'))['version']);
const NEXT = `${Number.parseInt(PRESENT, 10) + 1}.0.0`;

let clone: string;

const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-c', 'user.name=test', '-c', 'user.email=test@forge.test', ...args], {
    cwd: clone,
    encoding: 'utf8',
  });

/** Runs the script as `npm run release -- ...` does. */
function release(args: readonly string[], repository: string | undefined = REPOSITORY) {
  const { MAYCRAWL_REPOSITORY: _, ...environment } = process.env;
  const env = { ...environment, ...(repository === '' ? {} : { MAYCRAWL_REPOSITORY: repository }) };
  const script = join(ROOT, 'scripts/release/prepare.mjs');
  const { status, stdout, stderr } = spawnSync(process.execPath, [script, ...args], {
    cwd: clone,
    env,
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

beforeAll(() => {
  clone = mkdtempSync(join(tmpdir(), 'maycrawl-release-'));
  for (const file of FILES) {
    mkdirSync(dirname(join(clone, file)), { recursive: true });
    cpSync(join(ROOT, file), join(clone, file));
  }
  const section = `# Changelog\n\n## ${NEXT} (unreleased)\n\n### Core\n\n- What is new.\n\n## ${PRESENT} (2026-01-01)\n\n- Old.\n`;
  writeFileSync(join(clone, 'CHANGELOG.md'), section);
  git('init', '--quiet');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Before the release');
});

beforeEach(() => {
  git('reset', '--quiet', '--hard', 'HEAD');
});

afterAll(() => rmSync(clone, { recursive: true, force: true }));

test('a dry run prints the files and the text of the tag, and changes nothing', () => {
  const { status, stdout, stderr } = release([NEXT]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain(
    `maycrawl ${NEXT} of git+${REPOSITORY}.git, dist-tag latest\ndry run: nothing is changed. --write changes:\n  package.json\n`,
  );
  expect(stdout).toMatch(/^ {2}packages\/maycrawl\/src\/cli\/options\/fetch-options\.ts$/m);
  expect(stdout.endsWith(`text of the tag v${NEXT}:\nmaycrawl ${NEXT}\n\nCore\n\n- What is new.\n`)).toBe(
    true,
  );
  expect(git('status', '--porcelain')).toBe('');
});

test('--write sets the version and the addresses everywhere, after which --check passes', () => {
  expect(release([NEXT, '--check']).stderr).toMatch(/^release: not prepared for \S+: package\.json, .*\n$/);
  expect(release([NEXT, '--write'])).toMatchObject({ status: 0, stderr: '' });
  for (const name of PACKAGES) {
    expect(readJson(join(clone, 'packages', name, 'package.json'))).toMatchObject({
      version: NEXT,
      repository: { type: 'git', url: `git+${REPOSITORY}.git`, directory: `packages/${name}` },
      homepage: `${REPOSITORY}#readme`,
      bugs: `${REPOSITORY}/issues`,
    });
  }
  const { dependencies } = readJson(join(clone, 'packages/maycrawl/package.json'));
  expect(dependencies).toMatchObject({ '@maycrawl/core': NEXT, '@maycrawl/client': NEXT });
  // npm compares the manifests with the lock file, and refuses a difference.
  const { packages } = readJson(join(clone, 'package-lock.json')) as { packages: Record<string, object> };
  expect(packages['packages/client']).toMatchObject({
    version: NEXT,
    dependencies: { '@maycrawl/core': NEXT },
  });
  expect(readFileSync(join(clone, 'docs/install.md'), 'utf8')).toContain(`maycrawl-core-${NEXT}.tgz`);
  expect(readFileSync(join(clone, 'CHANGELOG.md'), 'utf8')).toMatch(/## \S+ \(\d{4}-\d\d-\d\d\)\n\n### Core/);
  const changed = git(
    'grep',
    '--fixed-strings',
    '--name-only',
    NEXT,
    '--',
    'docs/options.md',
    'CITATION.cff',
  );
  expect(changed.trim().split('\n')).toHaveLength(2);

  git('commit', '--quiet', '--all', '--message', 'A release');
  expect(release([NEXT, '--check'])).toMatchObject({ status: 0, stderr: '' });
  // A second run has nothing to change.
  expect(release([NEXT]).stdout).toContain(`--write changes:\ntext of the tag`);
  git('reset', '--quiet', '--hard', 'HEAD^');
});

test('--print writes the text of the tag, and the notes with their headings', () => {
  expect(release([NEXT, '--print', 'tag'], '').stdout).toBe(`maycrawl ${NEXT}\n\nCore\n\n- What is new.\n`);
  expect(release([NEXT, '--print', 'notes'], '').stdout).toBe('### Core\n\n- What is new.\n');
});

const REFUSALS: readonly (readonly [string, readonly string[], string, RegExp])[] = [
  ['no version', [], REPOSITORY, /usage: /],
  ['two modes', [NEXT, '--write', '--check'], REPOSITORY, /usage: /],
  ['an unknown option', [NEXT, '--force'], REPOSITORY, /Unknown option '--force'/],
  ['no version number', ['v1'], REPOSITORY, /"v1" is not a version such as/],
  ['a lower version', ['0.0.1'], REPOSITORY, /0\.0\.1 is lower than the current version/],
  ['no section in the changelog', ['999.0.0'], REPOSITORY, /CHANGELOG\.md has no section/],
  ['no repository', [NEXT], '', /set MAYCRAWL_REPOSITORY/],
  [
    'a repository with a password',
    [NEXT],
    'https://a:b@forge.test/o/n',
    /must be https:\/\/HOST\/OWNER\/NAME/,
  ],
];

test.each(REFUSALS)('%s is refused with one line and exit code 2', (_, args, repository, message) => {
  const { status, stdout, stderr } = release(args, repository);
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toMatch(message);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
});

test('a changed working tree and an existing tag are refused', () => {
  writeFileSync(join(clone, 'README.md'), 'changed');
  expect(release([NEXT])).toMatchObject({
    status: 2,
    stderr: expect.stringMatching(/working tree has changes/),
  });
  git('reset', '--quiet', '--hard', 'HEAD');
  git('tag', `v${NEXT}`);
  expect(release([NEXT])).toMatchObject({ status: 2, stderr: `release: the tag v${NEXT} exists\n` });
  git('tag', '--delete', `v${NEXT}`);
});
