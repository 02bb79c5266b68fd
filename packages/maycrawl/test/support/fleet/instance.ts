// An instance of the built service behind nginx.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { BIN, ownCache } from '../run.ts';

/** An instance of the service with a store that others share. It can be restarted. */
export class Instance {
  readonly port: number;
  readonly #args: readonly string[];
  readonly #log: string | undefined;
  #process: ChildProcess | undefined;

  /**
   * @param further - further options of `maycrawl serve`.
   * @param log - the file of its log; without it the process has no log.
   */
  constructor(port: number, database: string, further: readonly string[] = [], log?: string) {
    this.port = port;
    this.#log = log;
    const store = ['--port', String(port), '--database', database, '--allow-private', '--drain-time', '1s'];
    const proxy = [
      '--trust-proxy',
      '127.0.0.1',
      '--allowed-host',
      'maycrawl',
      '--log-level',
      log === undefined ? 'silent' : 'warn',
    ];
    this.#args = [...store, ...proxy, ...further];
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  /** Starts it, and waits until it is ready. */
  async start(): Promise<void> {
    const output = this.#log === undefined ? undefined : openSync(this.#log, 'a');
    const child = spawn(process.execPath, [BIN, 'serve', ...this.#args], {
      env: ownCache(),
      stdio: ['ignore', output ?? 'ignore', 'ignore'],
    });
    if (output !== undefined) closeSync(output);
    this.#process = child;
    const isReady = async (): Promise<boolean> => {
      const response = await fetch(`http://127.0.0.1:${this.port}/readyz`).catch(() => undefined);
      await response?.arrayBuffer();
      return response?.status === 200;
    };
    while (!(await isReady())) {
      if (child.exitCode !== null) throw new Error(`an instance has ended with ${child.exitCode}`);
      await sleep(50);
    }
  }

  async stop(signal: NodeJS.Signals): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  }
}

/** Restarts one instance after another, as docs/operations.md describes it. */
export async function restartAll(instances: readonly Instance[]): Promise<void> {
  for (const instance of instances) {
    await instance.stop('SIGTERM');
    await instance.start();
  }
}
