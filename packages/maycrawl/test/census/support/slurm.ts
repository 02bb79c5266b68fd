import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { findFreePort } from '../../../../client/test/support/free-port.ts';
import { hasPrograms } from './programs.ts';

/** Whether Slurm is installed. */
export const HAS_SLURM: boolean = hasPrograms('slurmctld', 'slurmd', 'sbatch', 'squeue', 'sinfo');

/** A Slurm of one node on loopback. */
export interface Slurm {
  /** The environment for its commands. */
  readonly env: NodeJS.ProcessEnv;
  /** Waits until there are no jobs. */
  waitForJobs(): Promise<void>;
  /** Ends its processes, and removes its files. */
  close(): Promise<void>;
}

/** Starts Slurm. @throws if it does not start within three minutes. */
export async function startSlurm(env: NodeJS.ProcessEnv): Promise<Slurm> {
  // The names in its configuration cannot have spaces.
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-slurm-'));
  const at = (name: string): string => join(folder, name);
  for (const name of ['state', 'spool']) mkdirSync(at(name), { recursive: true });
  const [node] = hostname().split('.') as [string];
  const user = userInfo().username;
  const settings = {
    ...{ ClusterName: 'test', SlurmctldHost: `${node}(127.0.0.1)`, SlurmUser: user, SlurmdUser: user },
    ...{ SlurmctldPort: await findFreePort(), SlurmdPort: await findFreePort() },
    ...{ AuthType: 'auth/none', CredType: 'cred/none', ProctrackType: 'proctrack/linuxproc' },
    ...{ TaskPlugin: 'task/none', SelectType: 'select/cons_tres', SelectTypeParameters: 'CR_CPU' },
    ...{
      SlurmdParameters: 'config_overrides',
      SchedulerParameters: 'batch_sched_delay=0,sched_min_interval=0',
    },
    ...{ StateSaveLocation: at('state'), SlurmdSpoolDir: at('spool') },
    ...{ SlurmctldPidFile: at('slurmctld.pid'), SlurmdPidFile: at('slurmd.pid') },
    ...{ SlurmctldLogFile: at('slurmctld.log'), SlurmdLogFile: at('slurmd.log') },
  };
  const lines = [
    ...Object.entries(settings).map(([name, value]) => `${name}=${value}`),
    `NodeName=${node} NodeAddr=127.0.0.1 CPUs=2 RealMemory=16000`,
    `PartitionName=main Nodes=${node} Default=YES MaxTime=INFINITE State=UP`,
  ];
  const config = at('slurm.conf');
  writeFileSync(config, `${lines.join('\n')}\n`);
  const own = { ...env, SLURM_CONF: config };
  const run = async (...[program, ...args]: [string, ...string[]]): Promise<string> =>
    (await promisify(execFile)(program, args, { env: own })).stdout.trim();
  const daemons = ['slurmctld', 'slurmd'].map((name) =>
    spawn(name, ['-D', '-f', config], { env: own, stdio: 'ignore' }),
  );
  const close = async (): Promise<void> => {
    for (const daemon of daemons.toReversed()) await end(daemon);
    rmSync(folder, { recursive: true });
  };
  try {
    await poll(async () => (await run('sinfo', '--noheader', '--format=%T').catch(() => '')) === 'idle');
  } catch (error) {
    const log = readFileSync(at('slurmctld.log'), 'utf8');
    await close();
    throw new Error(`Slurm does not start: ${log}`, { cause: error });
  }
  return {
    env: own,
    waitForJobs: () => poll(async () => (await run('squeue', '--noheader')) === ''),
    close,
  };
}

async function poll(isDone: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 1_800; tries++) {
    if (await isDone()) return;
    await setTimeout(100);
  }
  throw new Error('timeout');
}

async function end(daemon: ChildProcess): Promise<void> {
  if (daemon.exitCode !== null || daemon.signalCode !== null) return;
  const ended = once(daemon, 'exit');
  daemon.kill();
  await ended;
}
