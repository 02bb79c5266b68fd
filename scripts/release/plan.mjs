// What a release changes: the version in all manifests, lock files and texts, the addresses of the repository, and the date in the
// changelog. Nothing here reads git or writes files.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import semver from 'semver';

/** The packages that a release publishes, in an order in which each one follows those that it depends on. */
export const PUBLISHED = ['packages/core', 'packages/client', 'packages/maycrawl'];

const MANIFESTS = ['.', ...PUBLISHED, 'packages/web', 'bench', 'editors/vscode'];
const LOCK_FILES = ['package-lock.json', 'editors/vscode/package-lock.json'];
const DEPENDENCIES = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
const VERSION_FILE = 'packages/maycrawl/src/cli/options/fetch-options.ts';

/** A release that cannot be made, for a reason that the maintainer corrects. */
export class ReleaseError extends Error {}

/**
 * Checks the address of the repository, which only the publisher knows.
 *
 * @param {string | undefined} address such as `https://HOST/OWNER/NAME`
 * @returns {{ repository: string, homepage: string, bugs: string }}
 */
export function readRepository(address) {
  if (address === undefined || address === '')
    throw new ReleaseError(
      'set MAYCRAWL_REPOSITORY to the address of the repository: https://HOST/OWNER/NAME',
    );
  if (!/^https:\/\/[\w.-]+(?::\d+)?\/[\w.-]+\/[\w.-]+$/.test(address) || address.endsWith('.git'))
    throw new ReleaseError(
      `MAYCRAWL_REPOSITORY must be https://HOST/OWNER/NAME, not ${JSON.stringify(address)}`,
    );
  return { repository: `git+${address}.git`, homepage: `${address}#readme`, bugs: `${address}/issues` };
}

/** The section of a version in the changelog: its heading, and its text. */
export function readSection(changelog, version) {
  const [heading] =
    changelog.match(
      new RegExp(`^## ${version.replaceAll('.', '\\.')} \\((?:unreleased|\\d{4}-\\d{2}-\\d{2})\\)$`, 'm'),
    ) ?? [];
  if (heading === undefined)
    throw new ReleaseError(
      `CHANGELOG.md has no section "## ${version} (unreleased)": write one, for those who update`,
    );
  const after = changelog.slice(changelog.indexOf(heading) + heading.length);
  const [text] = after.split(/^## /m);
  if (text.trim() === '') throw new ReleaseError(`the section "${heading}" of CHANGELOG.md is empty`);
  return { heading, text: text.trim() };
}

/** The message of the annotated tag: the text of the changelog for readers of plain text. */
export const formatTag = (version, { text }) => `maycrawl ${version}\n\n${text.replaceAll(/^#+ /gm, '')}\n`;

const readManifest = (root, directory) =>
  JSON.parse(readFileSync(join(root, directory, 'package.json'), 'utf8'));

/** The version that the packages have now. */
export function readVersion(root) {
  const versions = new Set(MANIFESTS.map((directory) => readManifest(root, directory).version));
  if (versions.size !== 1)
    throw new ReleaseError(`the packages have different versions: ${[...versions].join(', ')}`);
  return [...versions][0];
}

/** Refuses a version that is not one, or that does not follow the present one. */
export function checkVersion(version, present) {
  if (semver.valid(version) !== version)
    throw new ReleaseError(`${JSON.stringify(version)} is not a version such as 1.0.0 or 1.1.0-beta.1`);
  if (semver.lt(version, present))
    throw new ReleaseError(`${version} is lower than the current version, ${present}`);
}

/** The dist-tag of npm: a prerelease is not what `npm install maycrawl` installs. */
export const toDistTag = (version) => (semver.prerelease(version) === null ? 'latest' : 'next');

function setDependencies(manifest, names, version) {
  for (const field of DEPENDENCIES)
    for (const name of Object.keys(manifest[field] ?? {}))
      if (names.has(name)) manifest[field][name] = version;
}

function setAddresses(manifest, directory, { repository, homepage, bugs }) {
  const { name, version, description, keywords, license, ...rest } = manifest;
  return {
    ...{ name, version, description, keywords, license },
    ...{ repository: { type: 'git', url: repository, directory }, homepage, bugs },
    ...Object.fromEntries(
      Object.entries(rest).filter(([key]) => !/^(?:repository|homepage|bugs)$/.test(key)),
    ),
  };
}

/** Texts that show commands with the version, such as the names of tarballs. */
const listTexts = (root) => [
  'README.md',
  'CITATION.cff',
  ...PUBLISHED.map((directory) => `${directory}/README.md`),
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/**
 * The files that a release changes, with their new text.
 *
 * @returns {Map<string, string>}
 */
export function planRelease({ root, version, addresses, date }) {
  const present = readVersion(root);
  const names = new Set(PUBLISHED.map((directory) => readManifest(root, directory).name));
  const texts = new Map();
  const read = (file) => readFileSync(join(root, file), 'utf8');
  const set = (file, text) => {
    if (text !== read(file)) texts.set(file, text);
  };
  const toJson = (value) => `${JSON.stringify(value, null, 2)}\n`;

  for (const directory of MANIFESTS) {
    const manifest = readManifest(root, directory);
    manifest.version = version;
    setDependencies(manifest, names, version);
    const isPublished = PUBLISHED.includes(directory);
    set(
      join(directory, 'package.json'),
      toJson(isPublished ? setAddresses(manifest, directory, addresses) : manifest),
    );
  }
  for (const file of LOCK_FILES) {
    const lock = JSON.parse(read(file));
    if (lock.version !== undefined) lock.version = version;
    for (const [directory, entry] of Object.entries(lock.packages)) {
      if (directory.includes('node_modules/') || entry.version === undefined) continue;
      entry.version = version;
      setDependencies(entry, names, version);
    }
    set(file, toJson(lock));
  }
  set(VERSION_FILE, read(VERSION_FILE).replace(`VERSION = '${present}'`, `VERSION = '${version}'`));
  const escaped = present.replaceAll('.', '\\.');
  const pattern = new RegExp(
    `\\b(maycrawl(?:-core|-client|-vscode)?[-/]|^version: )${escaped}(?![\\w-])`,
    'gm',
  );
  for (const file of listTexts(root))
    set(
      file,
      read(file).replace(pattern, (_, before) => `${before}${version}`),
    );
  const changelog = read('CHANGELOG.md');
  const { heading } = readSection(changelog, version);
  set('CHANGELOG.md', changelog.replace(heading, heading.replace('(unreleased)', `(${date})`)));
  return texts;
}
