// The revision that a run of the GitHub Action compares with. Clones are shallow by default, so it is fetched if necessary.
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** A name that is neither an option nor a refspec. */
const REVISION = /^[\w.][\w./@{}^~-]*$/;
const COMMIT = /^(?!0+$)[0-9a-f]{40,64}$/;

/** Runs git. Returns its standard output, or undefined if it fails. */
function runGit(folder, ...args) {
  const { status, stdout } = spawnSync('git', args, { cwd: folder, encoding: 'utf8' });
  return status === 0 ? stdout.trim() : undefined;
}

/** Reads the event that started the workflow; none on other machines. */
function readEvent(path) {
  return path === undefined ? {} : JSON.parse(readFileSync(path, 'utf8'));
}

/** Returns the parents of HEAD, also those that a shallow clone does not have. */
function getParents(folder) {
  const commit = runGit(folder, 'cat-file', '-p', 'HEAD') ?? '';
  return [...commit.split('\n\n')[0].matchAll(/^parent ([0-9a-f]+)$/gm)].map(([, parent]) => parent);
}

/**
 * Returns the commit before the change. A pull request is checked out as a merge with its target branch, whose state is then the
 * first parent.
 */
function findDefaultBase(folder, event) {
  const [first, second] = getParents(folder);
  if (event.pull_request && second) return first;
  const candidates = [event.pull_request?.base?.sha, event.merge_group?.base_sha, event.before, first];
  return candidates.find((each) => typeof each === 'string' && COMMIT.test(each));
}

/**
 * Finds the revision to compare with.
 *
 * @param folder the folder of the file, in a git repository.
 * @param wanted the revision of the workflow's author, or an empty string.
 * @param eventPath the file with the event that started the workflow.
 * @returns {{ commit: string } | { problem: string }}
 */
export function findBase(folder, wanted, eventPath) {
  const name = wanted === '' ? findDefaultBase(folder, readEvent(eventPath)) : wanted;
  if (name === undefined) return { problem: 'there is no commit before this one' };
  if (!REVISION.test(name)) return { problem: `"${name}" is not a revision` };
  const resolve = (revision) =>
    runGit(folder, 'rev-parse', '--verify', '--quiet', '--end-of-options', `${revision}^{commit}`);
  const known = resolve(name);
  if (known !== undefined) return { commit: known };
  // Commits, branches and tags can be fetched by name; HEAD~5 cannot.
  const ref = name.replace(/^origin\//, '');
  const fetched = runGit(folder, 'fetch', '--quiet', '--no-tags', '--depth=1', 'origin', ref);
  const commit = fetched === undefined ? undefined : resolve('FETCH_HEAD');
  return commit === undefined
    ? {
        problem: `this clone has no revision ${name}, and it cannot be fetched: set fetch-depth: 0 of actions/checkout`,
      }
    : { commit };
}

/** Returns whether a commit has a file, which is named from `folder`. */
export function hasFile(folder, commit, name) {
  return runGit(folder, 'cat-file', '-e', `${commit}:./${name}`) !== undefined;
}
