// Finds processes of Chromium that this process has started, and those that are left of them (Linux).
import { readdirSync, readFileSync } from 'node:fs';

interface ProcessState {
  readonly id: number;
  readonly name: string;
  readonly state: string;
  readonly parent: number;
  readonly group: number;
}

/** Notes the process groups of Chromium that a process starts. */
export class ProcessWatch {
  readonly groups: Set<number> = new Set();
  readonly #parent: number;
  #timer: NodeJS.Timeout | undefined;

  /** @param parent - the process that starts Chromium. */
  constructor(parent: number = process.pid) {
    this.#parent = parent;
  }

  start(): void {
    this.#timer = setInterval(() => this.look(), 100);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  /** Looks for new groups. */
  look(): void {
    for (const { id, parent, group, name } of listProcesses())
      if (parent === this.#parent && id === group && /chrom/.test(name)) this.groups.add(group);
  }

  /** The processes of these groups that run. */
  listLeft(): string[] {
    return listProcesses()
      .filter(({ group, state }) => this.groups.has(group) && state !== 'Z')
      .map(({ id, name }) => `${id} ${name}`);
  }
}

function listProcesses(): ProcessState[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((id) => readState(Number(id)));
}

function readState(id: number): ProcessState[] {
  let text: string;
  try {
    text = readFileSync(`/proc/${id}/stat`, 'utf8');
  } catch {
    // It has ended meanwhile.
    return [];
  }
  const [, name = '', state = '', parent = '', group = ''] =
    /^\d+ \((.*)\) (\S) (\d+) (\d+)/.exec(text) ?? [];
  return [{ id, name, state, parent: Number(parent), group: Number(group) }];
}
