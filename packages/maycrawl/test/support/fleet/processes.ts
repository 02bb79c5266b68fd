// Memory and processor time of running processes, from /proc.
import { readdirSync, readFileSync } from 'node:fs';

/** Clock ticks a second of /proc: the same on all architectures of Linux that Node supports. */
const TICKS = 100;

/** What a process and its children use. */
interface Usage {
  /** Proportional set size: shared pages count once for all processes. */
  readonly bytes: number;
  /** Processor time of the process and its children, also of those that have ended. Seconds. */
  readonly seconds: number;
}

interface Stat {
  readonly parent: number;
  readonly seconds: number;
}

/** @returns `undefined` if the process has ended. */
function readFileOf(pid: number, name: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return undefined;
  }
}

function readStat(pid: number): Stat | undefined {
  const text = readFileOf(pid, 'stat');
  if (text === undefined) return undefined;
  // The name of the program, in parentheses, can contain spaces.
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
  return { parent: Number(fields[1]), seconds: ticks / TICKS };
}

/** The processes that a process has started and that have not ended. */
export function findChildren(pid: number | undefined): number[] {
  if (pid === undefined) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)
    .filter((each) => readStat(each)?.parent === pid);
}

function readBytes(pid: number): number {
  const kibibytes = /^Pss:\s+(\d+) kB$/m.exec(readFileOf(pid, 'smaps_rollup') ?? '')?.[1];
  return Number(kibibytes ?? 0) * 1024;
}

/** What a process and its children use now; `undefined` if it has ended. */
export function measureProcess(pid: number | undefined): Usage | undefined {
  if (pid === undefined || readStat(pid) === undefined) return undefined;
  const pids = [pid, ...findChildren(pid)];
  return {
    bytes: pids.reduce((sum, each) => sum + readBytes(each), 0),
    seconds: pids.reduce((sum, each) => sum + (readStat(each)?.seconds ?? 0), 0),
  };
}
