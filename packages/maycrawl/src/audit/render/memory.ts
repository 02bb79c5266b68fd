// The memory of processes. Only Linux has the file system from which it is read; elsewhere only the limit of V8 applies.
import { readFile } from 'node:fs/promises';

/** Returns the memory that processes have for themselves, in bytes. Processes that have ended count as 0. */
export async function readMemory(processes: readonly number[]): Promise<number> {
  const sizes = await Promise.all(processes.map(readOne));
  return sizes.reduce((sum, size) => sum + size, 0);
}

async function readOne(id: number): Promise<number> {
  let status: string;
  try {
    status = await readFile(`/proc/${id}/status`, 'utf8');
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException;
    if (['ENOENT', 'ESRCH', 'EACCES'].includes(code)) return 0;
    throw error;
  }
  return 1024 * Number(/^RssAnon:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
}
