/** The launchers of examples/census: after `kill -9` of a task, the same command judges what is missing, and the result is that of one run. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ROOT, run } from '../../support/run.ts';
import { findWriter, readCensus, readFolder, writeCrawl } from '../support/crawl.ts';
import { createEnvironment, hasPrograms } from '../support/programs.ts';
import { HAS_SLURM, type Slurm, startSlurm } from '../support/slurm.ts';

const SLICES = 4;
const AGENTS = 'GPTBot,CCBot';
const LAUNCHERS = join(ROOT, 'examples', 'census', 'launchers');

let folder: string;
let list: string;
/** The options of `census judge`. */
let options: readonly string[];
let environment: NodeJS.ProcessEnv;
const at = (...names: string[]): string => join(folder, ...names);

beforeAll(async () => {
  // The launchers quote paths.
  folder = mkdtempSync(join(tmpdir(), "maycrawl it's $a launcher-"));
  list = writeCrawl(at('crawl'), 12, 150);
  environment = createEnvironment(folder);
  options = ['--manifest', list, '--agents', AGENTS];
  expect(await run(['census', 'judge', ...options, '--out', at('whole')])).toMatchObject({ code: 0 });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A launcher. */
interface Launcher {
  /** Runs it until all tasks ended. @returns whether it succeeded. */
  readonly launch: (out: string) => Promise<boolean>;
}

async function runProgram(env: NodeJS.ProcessEnv, program: string, ...args: string[]): Promise<boolean> {
  const child = spawn(program, args, { cwd: folder, env, stdio: ['ignore', 'ignore', 'pipe'] });
  const messages = text(child.stderr);
  const [code] = await once(child, 'exit');
  if (/syntax|not found/i.test(await messages)) throw new Error(await messages);
  return code === 0;
}

/** Kills the first task that writes a table. */
async function killOneTask(parts: string, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const writer = findWriter(parts);
    if (writer !== undefined) {
      process.kill(writer, 'SIGKILL');
      return;
    }
    await setTimeout(1);
  }
}

/** The complete parts, and when each was written. */
function readParts(parts: string): ReadonlyMap<string, number> {
  const names = readFolder(parts).filter((name) => name.endsWith('.json'));
  return new Map(names.map((name) => [name, statSync(join(parts, name)).mtimeMs]));
}

async function checkLauncher({ launch }: Launcher, name: string): Promise<void> {
  // A task can be complete before it is killed.
  for (let attempts = 0; ; attempts++) {
    expect(attempts).toBeLessThan(20);
    const out = at(`${name}-${attempts}`);
    const ended = new AbortController();
    const killed = killOneTask(join(out, 'parts'), ended.signal).catch(() => {});
    const isSuccess = await launch(out);
    ended.abort();
    await killed;
    const complete = readParts(join(out, 'parts'));
    if (complete.size === SLICES) continue;
    // The other tasks are complete, there is no merge, and the launcher reports the failure.
    expect({ isSuccess, parts: complete.size, census: readFolder(join(out, 'census')) }).toEqual({
      ...{ isSuccess: false, parts: SLICES - 1, census: [] },
    });
    expect(await launch(out)).toBe(true);
    const again = readParts(join(out, 'parts'));
    expect(again.size).toBe(SLICES);
    for (const [part, time] of complete) expect([part, again.get(part)]).toEqual([part, time]);
    expect(readFolder(join(out, 'parts')).filter((file) => file.endsWith('.tmp'))).toEqual([]);
    const whole = readCensus(at('whole'));
    for (const [file, bytes] of Object.entries(readCensus(join(out, 'census'))))
      expect(whole[file]?.equals(bytes), file).toBe(true);
    return;
  }
}

test.skipIf(!HAS_SLURM)(
  'an array job of Slurm (skipped without slurmctld, slurmd and slurm-client)',
  async () => {
    const slurm: Slurm = await startSlurm(environment);
    try {
      const env = { ...slurm.env, CPUS: '1', MEMORY: '1G' };
      const launch = async (out: string): Promise<boolean> => {
        expect(
          await runProgram(env, 'sh', join(LAUNCHERS, 'slurm.sh'), String(SLICES), out, ...options),
        ).toBe(true);
        await slurm.waitForJobs();
        return readFolder(join(out, 'census')).includes('census.json');
      };
      await checkLauncher({ launch }, 'slurm');
    } finally {
      await slurm.close();
    }
  },
);

test.skipIf(!hasPrograms('parallel'))('GNU parallel (skipped without parallel)', async () => {
  const script = join(LAUNCHERS, 'parallel.sh');
  await checkLauncher(
    { launch: (out) => runProgram(environment, 'sh', script, String(SLICES), out, ...options) },
    'parallel',
  );
});

test.skipIf(!hasPrograms('snakemake'))('Snakemake (skipped without snakemake)', async () => {
  const flags = ['--cores', '2', '--keep-going', '--rerun-incomplete', '--nolock', '--quiet'];
  const launch = (out: string): Promise<boolean> =>
    runProgram(
      environment,
      'snakemake',
      '--snakefile',
      join(LAUNCHERS, 'Snakefile'),
      ...flags,
      '--config',
      ...[`paths=${list}`, `agents=${AGENTS}`, `folder=${out}`, `slices=${SLICES}`],
    );
  await checkLauncher({ launch }, 'snakemake');
});
