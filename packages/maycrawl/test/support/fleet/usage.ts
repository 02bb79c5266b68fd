// Memory and processor time of the parts of the simulation over its time.
import { measureProcess } from './processes.ts';

/** What one part used. */
interface PartUsage {
  /** Bytes at each sample, 0 while it did not run. */
  readonly bytes: number[];
  /** Processor time. Seconds. */
  seconds: number;
}

/** Measures all parts at regular times. */
export class UsageRecorder {
  readonly parts: Map<string, PartUsage> = new Map();
  readonly #getPids: () => ReadonlyMap<string, number | undefined>;
  readonly #last: Map<string, { readonly pid: number; readonly seconds: number }> = new Map();
  readonly #timer: NodeJS.Timeout;

  /** @param interval - milliseconds. */
  constructor(interval: number, getPids: () => ReadonlyMap<string, number | undefined>) {
    this.#getPids = getPids;
    this.#timer = setInterval(() => this.sample(), interval);
  }

  sample(): void {
    for (const [name, pid] of this.#getPids()) {
      const part = this.parts.get(name) ?? { bytes: [], seconds: 0 };
      this.parts.set(name, part);
      const usage = measureProcess(pid);
      part.bytes.push(usage?.bytes ?? 0);
      if (pid === undefined || usage === undefined) continue;
      const last = this.#last.get(name);
      part.seconds += last?.pid === pid ? Math.max(usage.seconds - last.seconds, 0) : usage.seconds;
      this.#last.set(name, { pid, seconds: usage.seconds });
    }
  }

  stop(): void {
    clearInterval(this.#timer);
  }
}
