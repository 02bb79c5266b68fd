// An analysis that never ends, exhausts its memory or ends the process if the file contains the name of the failure. Other files get the real analysis.
import { examine as analyse } from '../../dist/watch/analysis/analysis.js';

export async function examine(task) {
  const file = Buffer.from(task.after.history.response?.bytes ?? []).toString();
  if (file.includes('never-ends')) for (;;);
  if (file.includes('ends-the-process')) process.kill(process.pid, 'SIGKILL');
  if (file.includes('exhausts-memory'))
    for (const all = []; ; ) all.push(new Array(100_000).fill(all.length));
  return analyse(task);
}
