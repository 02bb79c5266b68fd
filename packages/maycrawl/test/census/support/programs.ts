import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { BIN } from '../../support/run.ts';

/** Debian installs the daemons of Slurm to a folder that users may not have in `PATH`. */
const PATH = `${process.env['PATH']}${delimiter}/usr/sbin`;

/** Whether programs are installed. */
export function hasPrograms(...names: readonly string[]): boolean {
  return names.every(
    (name) => spawnSync('sh', ['-c', `command -v ${name}`], { env: { ...process.env, PATH } }).status === 0,
  );
}

/** Creates an environment in which `maycrawl` is the built command. @param folder - receives it. */
export function createEnvironment(folder: string): NodeJS.ProcessEnv {
  const programs = join(folder, 'bin');
  mkdirSync(programs, { recursive: true });
  const command = join(programs, 'maycrawl');
  writeFileSync(command, `#!/bin/sh\nexec "${process.execPath}" "${BIN}" "$@"\n`);
  chmodSync(command, 0o755);
  return { ...process.env, PATH: `${programs}${delimiter}${PATH}` };
}
