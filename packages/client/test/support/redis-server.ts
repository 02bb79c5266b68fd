import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { createRedisClient } from './redis-clients.mjs';

const PROGRAM = '/usr/bin/redis-server';

/** Whether tests can start a Redis server: Debian's package redis-server. */
export const HAS_REDIS: boolean = existsSync(PROGRAM);

/** A Redis server on loopback, without files, until it is closed. */
export interface RedisServer {
  readonly url: string;
  readonly port: number;
  readonly pid: number | undefined;
  /** Sends a command, and returns its reply. */
  send(...command: string[]): Promise<unknown>;
  /** Kills the server with SIGKILL. */
  kill(): Promise<void>;
  /** Starts it again, empty. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Starts a server. @param further - further options of redis-server. */
export async function startRedis(...further: string[]): Promise<RedisServer> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-redis-'));
  const port = await findFreePort();
  const options = ['--port', String(port), '--bind', '127.0.0.1', '--save', '', '--appendonly', 'no'];
  const url = `redis://127.0.0.1:${port}`;
  let server: ChildProcess;
  let ended: Promise<void>;
  const start = async (): Promise<void> => {
    server = spawn(PROGRAM, [...options, ...further], { cwd: folder, stdio: 'ignore' });
    ended = new Promise<void>((resolve) => server.once('exit', () => resolve()));
    while (!(await isOpen(port))) {
      if (server.exitCode !== null) throw new Error(`redis-server ended with ${server.exitCode}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const kill = async (): Promise<void> => {
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    ...{ url, port, start, kill },
    get pid() {
      return server.pid;
    },
    send: async (...command) => {
      const { send, close } = await createRedisClient('ioredis', url);
      try {
        return await send(...command);
      } finally {
        await close();
      }
    },
    close: async () => {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function isOpen(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
