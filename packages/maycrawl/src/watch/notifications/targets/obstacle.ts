// Finds out without sending anything why this machine cannot deliver to a target, so that setting the target is an error, not its
// first notification.
import { access, constants, stat } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { checkMailSettings } from '../delivery/mail.ts';
import { DeliveryError } from '../delivery/receipt.ts';
import { type DirectTarget, type Environment, resolveTarget, type Target } from './target.ts';
import { TargetError } from './target-error.ts';

/**
 * Checks the requirements of a target: the environment variable, the mail server and sender, the program, the folder of the feed.
 *
 * @returns one line for people; `undefined` if all requirements are met.
 */
export async function findObstacle(target: Target, environment: Environment): Promise<string | undefined> {
  try {
    return await findDirectObstacle(resolveTarget(target, environment), environment);
  } catch (error) {
    if (error instanceof TargetError || error instanceof DeliveryError) return error.message;
    throw error;
  }
}

async function findDirectObstacle(
  target: DirectTarget,
  environment: Environment,
): Promise<string | undefined> {
  switch (target.kind) {
    case 'mail':
      checkMailSettings(environment);
      return undefined;
    case 'exec':
      return findProgramObstacle(target.command[0], environment);
    case 'feed':
      return findFeedObstacle(target.path);
    case 'webhook':
    case 'slack':
    case 'log':
      return undefined;
  }
}

async function findProgramObstacle(program: string, environment: Environment): Promise<string | undefined> {
  if (program.includes('/') || process.platform === 'win32') {
    if (!(await isFile(program))) return 'exec: names a program that does not exist';
    return (await isAllowed(program, constants.X_OK))
      ? undefined
      : 'exec: names a file that is not executable';
  }
  for (const folder of (environment['PATH'] ?? '').split(delimiter)) {
    const path = join(folder, program);
    if ((await isFile(path)) && (await isAllowed(path, constants.X_OK))) return undefined;
  }
  return 'exec: names a program that is in no folder of PATH';
}

async function findFeedObstacle(path: string): Promise<string | undefined> {
  const file = await stat(path).catch(() => undefined);
  if (file !== undefined && !file.isFile()) return 'feed: names something that is not a file';
  const folder = dirname(path);
  const isFolder = (await stat(folder).catch(() => undefined))?.isDirectory() === true;
  if (!isFolder) return 'feed: names a file in a folder that does not exist';
  // A new file replaces the old one, so the folder must be writable.
  const isWritable = await isAllowed(folder, constants.W_OK | constants.X_OK);
  return isWritable ? undefined : 'feed: names a file in a folder that is not writable';
}

async function isFile(path: string): Promise<boolean> {
  return (await stat(path).catch(() => undefined))?.isFile() === true;
}

async function isAllowed(path: string, mode: number): Promise<boolean> {
  return access(path, mode).then(
    () => true,
    () => false,
  );
}
