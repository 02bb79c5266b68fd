// Runs a command, and reads its processor time and memory while it runs, from /proc (Linux).
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { text } from 'node:stream/consumers';

const INTERVAL = 100;
/** Clock ticks of a second in /proc, on all usual systems. */
const TICKS = 100;

/** @returns the processor time in seconds and the memory in MB; `undefined` if there is no such process. */
function readProcess(id) {
  try {
    const fields = readFileSync(`/proc/${id}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
    const status = readFileSync(`/proc/${id}/status`, 'utf8');
    const rss = Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]);
    const peak = Number(/^VmHWM:\s+(\d+)/m.exec(status)?.[1]);
    if (Number.isNaN(rss)) return undefined;
    return { cpu: (Number(fields[11]) + Number(fields[12])) / TICKS, rss: rss / 1024, peak: peak / 1024 };
  } catch {
    return undefined;
  }
}

/**
 * Runs Node.js with arguments.
 *
 * @returns the wall time in seconds, the processor time (to within a tenth of a second), the peak of the memory in MiB, and the memory at
 * each tenth of the time.
 * @throws if the exit code is not 0.
 */
export function measureCommand(args) {
  const start = performance.now();
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  const messages = text(child.stderr);
  const samples = [];
  const timer = setInterval(() => {
    const sample = readProcess(child.pid);
    if (sample !== undefined) samples.push(sample);
  }, INTERVAL);
  return new Promise((resolve, reject) => {
    child.on('exit', async (code) => {
      clearInterval(timer);
      if (code !== 0) return reject(new Error(`the command exits with ${code}: ${await messages}`));
      const at = (share) => samples[Math.min(samples.length - 1, Math.floor(samples.length * share))];
      const last = samples.at(-1);
      if (last === undefined) return reject(new Error('there is no /proc, or the command is too short'));
      return resolve({
        seconds: (performance.now() - start) / 1_000,
        cpuSeconds: last.cpu,
        peakMiB: last.peak,
        rssMiB: Array.from({ length: 10 }, (_, tenth) => at((tenth + 0.5) / 10).rss),
      });
    });
  });
}
