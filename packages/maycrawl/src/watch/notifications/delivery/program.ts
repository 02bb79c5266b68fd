/**
 * Programs, which get the message on their standard input.
 *
 * @module
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { toJson } from '../messages/bodies.ts';
import type { Message } from '../messages/message.ts';
import { SECRET_VARIABLES } from '../targets/secrets.ts';
import type { Environment } from '../targets/target.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

/** What is kept of what a program says on its standard error. */
const MAX_SAID = 4096;

/**
 * Runs a program without a shell, and with all that it starts in a process group of its own, which is killed when the signal aborts.
 */
export async function runProgram(
  [program, ...args]: readonly [program: string, ...args: string[]],
  message: Message,
  { environment, signal }: Delivery,
): Promise<void> {
  const child = await start(program, args, environment);
  const exit = once(child, 'exit');
  const said = keepStart(child);
  const kill = (): void => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    // A program need not read what it is told.
    child.stdin?.on('error', () => {}).end(`${toJson(message)}\n`);
    const [code, killedBy] = (await exit) as [number | null, string | null];
    if (code === 0) return;
    // Whoever else has its standard error may keep it open.
    if (child.stderr?.closed === false) await once(child, 'close', { signal });
    signal.throwIfAborted();
    const [line = ''] = said()
      .trim()
      .split(/[\r\n]/);
    const how = code === null ? `was killed (${killedBy})` : `ended with ${code}`;
    throw new DeliveryError('exec', `the program ${how}${line && `: ${line}`}`);
  } finally {
    signal.removeEventListener('abort', kill);
    child.stderr?.destroy();
  }
}

/** @throws {DeliveryError} if it cannot be started. */
async function start(program: string, args: string[], environment: Environment): Promise<ChildProcess> {
  try {
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: environmentFor(environment),
      detached: process.platform !== 'win32',
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DeliveryError('exec', `the program cannot be started: ${code ?? message}`);
  }
}

/** Reads all of the standard error, so that nobody waits to write it, and keeps the start. */
function keepStart({ stderr }: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stderr
    ?.on('error', () => {})
    .on('data', (chunk: Buffer) => {
      if (length < MAX_SAID) chunks.push(chunk.subarray(0, MAX_SAID - length));
      length += chunk.length;
    });
  return () => Buffer.concat(chunks).toString();
}

function killGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    if (process.platform === 'win32') child.kill('SIGKILL');
    else process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has ended meanwhile.
  }
}

/** The environment, without the secrets of other deliveries. */
function environmentFor(environment: Environment): NodeJS.ProcessEnv {
  return { ...environment, ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, undefined])) };
}
