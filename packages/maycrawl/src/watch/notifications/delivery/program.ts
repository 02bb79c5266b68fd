// Programs, which receive the message on their standard input.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Message } from '../../message.ts';
import { toJson } from '../messages/bodies.ts';
import { SECRET_VARIABLES } from '../targets/secrets.ts';
import type { Environment } from '../targets/target.ts';
import { type Delivery, DeliveryError } from './receipt.ts';

/** Bytes of the standard error that are read. */
const MAX_ERROR_BYTES = 4096;

/**
 * Runs a program without a shell, in a process group of its own, which is killed when the signal aborts.
 */
export async function runProgram(
  [program, ...args]: readonly [program: string, ...args: string[]],
  message: Message,
  { environment, signal }: Delivery,
): Promise<void> {
  const child = await start(program, args, environment);
  const exit = once(child, 'exit');
  const getErrorText = collectErrorText(child);
  const kill = (): void => killGroup(child);
  signal.addEventListener('abort', kill, { once: true });
  if (signal.aborted) kill();
  try {
    // A program need not read its input.
    child.stdin?.on('error', () => {}).end(`${toJson(message)}\n`);
    const [code, killedBy] = (await exit) as [number | null, string | null];
    if (code === 0) return;
    // A child process of the program may keep the standard error open.
    if (child.stderr?.closed === false) await once(child, 'close', { signal });
    signal.throwIfAborted();
    const [line = ''] = getErrorText()
      .trim()
      .split(/[\r\n]/);
    const how = code === null ? `was killed (${killedBy})` : `ended with ${code}`;
    throw new DeliveryError('exec', `the program ${how}${line && `: ${line}`}`);
  } finally {
    signal.removeEventListener('abort', kill);
    child.stderr?.destroy();
  }
}

/** Starts a program. @throws {DeliveryError} if that fails. */
async function start(program: string, args: string[], environment: Environment): Promise<ChildProcess> {
  try {
    const child = spawn(program, args, {
      stdio: ['pipe', 'ignore', 'pipe'],
      env: createEnvironment(environment),
      detached: process.platform !== 'win32',
    });
    await once(child, 'spawn');
    return child;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new DeliveryError('exec', `the program cannot be started: ${code ?? message}`);
  }
}

/** Reads the whole standard error, so that the program does not block, and stores its start. */
function collectErrorText({ stderr }: ChildProcess): () => string {
  const chunks: Buffer[] = [];
  let length = 0;
  stderr
    ?.on('error', () => {})
    .on('data', (chunk: Buffer) => {
      if (length < MAX_ERROR_BYTES) chunks.push(chunk.subarray(0, MAX_ERROR_BYTES - length));
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
    // It has ended.
  }
}

/** Returns the environment without the secrets of other deliveries. */
function createEnvironment(environment: Environment): NodeJS.ProcessEnv {
  return { ...environment, ...Object.fromEntries(SECRET_VARIABLES.map((name) => [name, undefined])) };
}
