// The processes of the simulation.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';

/** A forked process, which can be killed and started again. It sends a message when it is ready. */
export class Part {
  readonly name: string;
  readonly #script: URL;
  readonly #getOptions: () => object;
  #process: ChildProcess | undefined;
  /** The last message. */
  message: unknown;

  /** @param getOptions - what it gets at each start. */
  constructor(name: string, script: URL, getOptions: () => object) {
    this.name = name;
    this.#script = script;
    this.#getOptions = getOptions;
  }

  get pid(): number | undefined {
    return this.#process?.pid;
  }

  async start(): Promise<void> {
    const child = fork(this.#script, [JSON.stringify(this.#getOptions())], { execArgv: [] });
    this.#process = child;
    child.on('message', (message) => {
      this.message = message;
    });
    const ended = once(child, 'exit').then(([code]) => {
      throw new Error(`${this.name} has ended with ${code} at its start`);
    });
    await Promise.race([once(child, 'message'), ended]);
    ended.catch(() => {});
  }

  send(message: string | readonly number[]): void {
    this.#process?.send(message);
  }

  async kill(): Promise<void> {
    await this.#end(() => this.#process?.kill('SIGKILL'));
  }

  /** Sends the request to end, and waits for the end. */
  async stop(): Promise<void> {
    await this.#end(() => this.send('stop'));
  }

  async #end(act: () => unknown): Promise<void> {
    const child = this.#process;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    act();
    await ended;
  }
}

/** What a crawler sends. */
export interface CrawlerMessage {
  readonly next: number;
  readonly counts: Readonly<Record<string, number>>;
}

/** The crawlers of one group, which share a store. */
interface Group {
  readonly name: 'postgres' | 'redis' | 'service';
  /** The numbers of its crawlers. */
  readonly members: readonly number[];
  /** It visits each site whose number is a multiple of this. */
  readonly every: number;
  /** The rate of its crawlers, as a share of that of the simulation. */
  readonly rate: number;
}

export const GROUPS: readonly Group[] = [
  { name: 'postgres', members: [0, 1, 2], every: 1, rate: 1 },
  { name: 'redis', members: [3, 4], every: 4, rate: 0.5 },
  { name: 'service', members: [5, 6, 7], every: 2, rate: 0.7 },
];

/** The group of a process, as it names itself to sites. */
export function getGroup(requester: string): string {
  if (requester.startsWith('instance-')) return 'service';
  const member = Number(requester.slice('client-'.length));
  return GROUPS.find(({ members }) => members.includes(member))?.name ?? requester;
}
