import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Runs git in a folder. @returns its standard output. */
export function git(folder: string, ...args: readonly string[]): string {
  const identity = ['-c', 'user.name=t', '-c', 'user.email=t@t.example', '-c', 'init.defaultBranch=main'];
  return execFileSync('git', [...identity, ...args], { cwd: folder, encoding: 'utf8', stdio: 'pipe' }).trim();
}

/** Writes files and commits them. @returns the commit. */
export function commit(folder: string, files: Readonly<Record<string, string>>): string {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  git(folder, 'add', '--all');
  git(folder, 'commit', '--quiet', '--message', 'change');
  return git(folder, 'rev-parse', 'HEAD');
}

/** Clones one commit of a repository without history, as continuous integration does. */
export function cloneShallow(origin: string, ref: string, folder: string): void {
  mkdirSync(folder);
  git(folder, 'init', '--quiet');
  git(folder, 'remote', 'add', 'origin', `file://${origin}`);
  git(folder, 'fetch', '--quiet', '--no-tags', '--depth=1', 'origin', `+${ref}:refs/remotes/checkout`);
  git(folder, 'checkout', '--quiet', '--detach', 'refs/remotes/checkout');
}
