// Prepares a release: `npm run release -- VERSION` prints what a release would change, `--write` changes the files, and `--check`,
// for the workflow that publishes a tag, requires that nothing is left to change. `--print tag` and `--print notes` write only the
// text of the tag, or that of the notes. Exit code 2: the release cannot be made.
import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import * as plan from './plan.mjs';

const USAGE = 'usage: npm run release -- VERSION [--write | --check | --print tag | --print notes]';

const root = process.cwd();
const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' }).trim();

function readArguments() {
  const options = { write: { type: 'boolean' }, check: { type: 'boolean' }, print: { type: 'string' } };
  let parsed;
  try {
    parsed = parseArgs({ options, allowPositionals: true });
  } catch (error) {
    throw new plan.ReleaseError(error.message, { cause: error });
  }
  const { positionals, values } = parsed;
  if (positionals.length !== 1 || Object.keys(values).length > 1) throw new plan.ReleaseError(USAGE);
  if (!['tag', 'notes', undefined].includes(values.print)) throw new plan.ReleaseError(USAGE);
  return { version: positionals[0], ...values };
}

/** Prints a text of a release that is prepared, or will be. */
function printText(version, kind) {
  const section = plan.readSection(readFileSync(join(root, 'CHANGELOG.md'), 'utf8'), version);
  process.stdout.write(kind === 'tag' ? plan.formatTag(version, section) : `${section.text}\n`);
}

function prepare() {
  const { version, write = false, check = false, print } = readArguments();
  plan.checkVersion(version, plan.readVersion(root));
  if (print !== undefined) return printText(version, print);
  const addresses = plan.readRepository(process.env.MAYCRAWL_REPOSITORY);
  if (git('status', '--porcelain') !== '')
    throw new plan.ReleaseError('the working tree has changes: commit or remove them first');
  const tag = `v${version}`;
  if (!check && git('tag', '--list', tag) !== '') throw new plan.ReleaseError(`the tag ${tag} exists`);

  const texts = plan.planRelease({ root, version, addresses, date: new Date().toISOString().slice(0, 10) });
  const files = [...texts.keys()];
  if (check && files.length > 0)
    throw new plan.ReleaseError(`not prepared for ${version}: ${files.join(', ')}`);
  console.log(`maycrawl ${version} of ${addresses.repository}, dist-tag ${plan.toDistTag(version)}`);
  if (check) return console.log('prepared');
  for (const file of write ? files : []) writeFileSync(join(root, file), texts.get(file));
  console.log(write ? 'changed:' : 'dry run: nothing is changed. --write changes:');
  for (const file of files) console.log(`  ${file}`);
  console.log(`text of the tag ${tag}:`);
  printText(version, 'tag');
}

try {
  prepare();
} catch (error) {
  if (!(error instanceof plan.ReleaseError)) throw error;
  console.error(`release: ${error.message}`);
  process.exitCode = 2;
}
