// Names of files as code hosts expect them: relative to the root of the repository.
import { existsSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ArtifactLocation } from 'sarif';

/** The conventional name of the root of the sources, which readers of SARIF resolve. */
const ROOT_ID = '%SRCROOT%';

/** Returns where a file is: relative to the root of the repository, or as an absolute URL if it is not in it. */
export function getArtifactLocation(name: string): ArtifactLocation {
  if (name.includes('://')) return { uri: new URL(name).href };
  const path = getRepositoryPath(name);
  return path === undefined
    ? { uri: pathToFileURL(name).href }
    : { uri: path.split('/').map(encodeURIComponent).join('/'), uriBaseId: ROOT_ID };
}

/**
 * Returns the path of a file from the root of the repository, with slashes. The root is the nearest folder above the working directory
 * that git manages, or else the working directory.
 *
 * @returns `undefined` if the file is outside.
 */
export function getRepositoryPath(name: string): string | undefined {
  const path = relative(findRoot(process.cwd()), resolve(name));
  const isOutside = path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path);
  return isOutside ? undefined : path.split(sep).join('/');
}

function findRoot(folder: string): string {
  for (let at = folder; ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}
