// Finds the robots.txt that a build tool wrote, and checks it: what the plugin for Vite and the integration for Astro have in common.
import { createReadStream } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { MAX_FILE_BYTES } from '@maycrawl/core';
import { checkOptions, quoteValue, readStart } from '@maycrawl/core/internal';
import { MAX_EXPECTATIONS_BYTES } from '../expectations/expectations.ts';
import { visible } from '../text/printable.ts';
import { type BuildReport, checkBuild } from './check-build.ts';
import { ENVIRONMENTS, type Environment } from './environment.ts';

/** What the robots.txt of a build must be. Paths are relative to the root of the project. */
export interface RobotsTxtOptions {
  /**
   * The robots.txt that the build serves.
   *
   * @defaultValue `robots.txt` in the output folder, else in the public folder
   */
  readonly file?: string;
  /** The robots.txt that the built one must equal for every crawler and URL. @defaultValue it is not compared */
  readonly source?: string;
  /** The expectations, as `maycrawl verify` reads them. @defaultValue `robots.test.yaml`, if that file exists */
  readonly tests?: string;
  /** The environment that the build is for. @defaultValue the mode of the build, if it is the name of an environment */
  readonly environment?: Environment;
  /** The lowest severity of a finding that fails the build; findings below it are warnings. @defaultValue `'error'` */
  readonly failOn?: 'error' | 'warning';
}

/**
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {RangeError} for an environment or a severity that does not exist.
 */
export function requireOptions(options: RobotsTxtOptions): void {
  checkOptions<RobotsTxtOptions>('robotsTxt', options, {
    ...{ file: 'string', source: 'string', tests: 'string', environment: 'string', failOn: 'string' },
  });
  const { environment, failOn } = options;
  if (environment !== undefined && !ENVIRONMENTS.includes(environment))
    throw new RangeError(
      `robotsTxt: environment must be one of ${ENVIRONMENTS.join(', ')}, not ${quoteValue(environment)}`,
    );
  if (failOn !== undefined && failOn !== 'error' && failOn !== 'warning')
    throw new RangeError(`robotsTxt: failOn must be error or warning, not ${quoteValue(failOn)}`);
}

/** Where a build tool reads and writes. Paths are absolute. */
export interface BuildFolders {
  readonly root: string;
  /** An empty text without a public folder. */
  readonly publicDir: string;
  readonly outDir: string;
}

/**
 * Checks the robots.txt of a build. Without one the build has a problem.
 *
 * @param mode - the environment, unless the options have one; another name means none.
 * @returns lines without control characters.
 */
export async function checkOutput(
  options: RobotsTxtOptions,
  folders: BuildFolders,
  mode: string,
): Promise<BuildReport> {
  const { problems, warnings } = await checkFile(options, folders, mode);
  return { problems: problems.map(visible), warnings: warnings.map(visible) };
}

async function checkFile(
  options: RobotsTxtOptions,
  { root, publicDir, outDir }: BuildFolders,
  mode: string,
): Promise<BuildReport> {
  const show = (path: string): string => relative(root, path).replaceAll('\\', '/');
  const candidates =
    options.file === undefined
      ? [outDir, publicDir].filter((each) => each !== '').map((each) => join(each, 'robots.txt'))
      : [resolve(root, options.file)];
  const built = await readFirst(candidates);
  if (built === undefined) {
    const places = candidates.map(show).join(' or ');
    const advice =
      options.file === undefined
        ? 'put it into the public folder, or name the file with the option "file" of robotsTxt()'
        : 'correct the option "file" of robotsTxt()';
    return { problems: [`the build has no robots.txt at ${places}: ${advice}`], warnings: [] };
  }
  // Messages name the file to edit.
  const edited = publicDir === '' ? undefined : await readFirst([join(publicDir, 'robots.txt')]);
  const name = show(edited?.bytes.equals(built.bytes) === true ? edited.path : built.path);
  const source =
    options.source === undefined ? undefined : await readNamed('source', resolve(root, options.source));
  const testsPath = resolve(root, options.tests ?? 'robots.test.yaml');
  const tests =
    options.tests === undefined
      ? await readFirst([testsPath], MAX_EXPECTATIONS_BYTES)
      : await readNamed('tests', testsPath, MAX_EXPECTATIONS_BYTES);
  const environment = options.environment ?? ENVIRONMENTS.find((each) => each === mode);
  return checkBuild(
    { name, bytes: built.bytes },
    {
      ...(source && { source: { name: show(source.path), bytes: source.bytes } }),
      ...(tests && { tests: { name: show(tests.path), text: tests.bytes.toString() } }),
      ...(environment && { environment }),
      failOn: options.failOn ?? 'error',
    },
  );
}

interface ReadFile {
  readonly path: string;
  readonly bytes: Buffer;
}

/** Reads the first of some files that exists. */
async function readFirst(paths: readonly string[], maxBytes = MAX_FILE_BYTES): Promise<ReadFile | undefined> {
  for (const path of paths) {
    try {
      return await readRequired(path, maxBytes);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code !== 'ENOENT' && code !== 'ENOTDIR') throw error;
    }
  }
  return undefined;
}

/** Reads the file of an option. @throws an error that names the option. */
async function readNamed(option: 'source' | 'tests', path: string, maxBytes?: number): Promise<ReadFile> {
  return readRequired(path, maxBytes).catch((cause: unknown) => {
    throw new Error(`option "${option}" of robotsTxt(): ${visible((cause as Error).message)}`, { cause });
  });
}

/** Reads a file, up to the first byte beyond the limit. @throws the error of the system, which names the file. */
async function readRequired(path: string, maxBytes = MAX_FILE_BYTES): Promise<ReadFile> {
  return { path, bytes: Buffer.from(await readStart(createReadStream(path), maxBytes + 1)) };
}
