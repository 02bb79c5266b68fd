import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findFreePort } from './free-port.ts';
import { createRedisClient } from './redis-clients.mjs';

/** A Redis server of its own, on loopback, without files. */
export interface TestRedis {
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** Kills the server with SIGKILL. `start` starts it again, empty. */
  kill(): Promise<void>;
  start(): Promise<void>;
  /** Sends a command, and returns its reply. */
  send(...command: string[]): Promise<unknown>;
  /** Stops the server and deletes its folder. */
  destroy(): Promise<void>;
}

/** Whether the system has a Redis server. */
export const hasRedis: boolean = spawnSync('redis-server', ['--version']).status === 0;

async function isListening(port: number): Promise<boolean> {
  const socket: Socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Starts a server. @param options - further options of `redis-server`. */
export async function startRedis(...options: string[]): Promise<TestRedis> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-redis-'));
  const port = await findFreePort();
  const url = `redis://127.0.0.1:${port}`;
  const args = ['--port', String(port), '--bind', '127.0.0.1', '--dir', folder];
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn('redis-server', [...args, '--save', '', '--appendonly', 'no', ...options], {
      stdio: 'ignore',
    });
    for (let tries = 0; !(await isListening(port)); tries++) {
      if (tries === 200) throw new Error('redis-server did not start');
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const kill = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const ended = once(server, 'exit');
    server.kill('SIGKILL');
    await ended;
  };
  await start();
  return {
    ...{ url, port, start, kill },
    get pid() {
      return server.pid as number;
    },
    async send(...command) {
      const { send, close } = await createRedisClient('ioredis', url);
      try {
        return await send(...command);
      } finally {
        await close();
      }
    },
    async destroy() {
      await kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
