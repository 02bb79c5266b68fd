// The hosts of a run that have waiting URLs. They take turns (round-robin scheduling). The order is stored: an interrupted run continues
// with the hosts that wait the longest.
import type { SqliteDatabase } from '@maycrawl/client/internal';
import { readCount } from './rows.ts';

/** Numbers of hosts. */
export interface HostCounts {
  /** Hosts that stopped responding although URLs are waiting. */
  readonly unresponsive: number;
  /** Hosts of the audit, with their ports. */
  readonly all: number;
}

/** The states of hosts in the table. */
const [READY, CLAIMED, UNRESPONSIVE] = [0, 1, 2];
/** Limit of the cache of hosts that the table has. A full cache is cleared. */
const MAX_CACHED = 1_000;

/** The table of hosts, with their ports. */
export class HostTable {
  readonly #database: SqliteDatabase;
  readonly #storedHosts: Set<string> = new Set();
  /** The number of the last turn; `undefined` until it is read. */
  #turn: number | undefined;

  constructor(database: SqliteDatabase) {
    this.#database = database;
  }

  /** Makes all hosts with waiting URLs ready, also those that did not respond before. The order stays as it was. */
  start(): void {
    this.#write(() => {
      this.#storedHosts.clear();
      this.#database.run(
        'delete from hosts where not exists (select 1 from urls where state = 0 and urls.host = hosts.host)',
      );
      this.#database.run(
        `update hosts set state = ${READY}, turn = place
         from (select host as name, row_number() over (order by turn, host) as place from hosts) where host = name`,
      );
      this.addWaiting();
    });
  }

  /** Adds all hosts with waiting URLs, after states of URLs were changed directly. Call it in a transaction. */
  addWaiting(): void {
    this.#database.run(
      `insert or ignore into hosts select host, ${READY}, ? from (select distinct host from urls where state = 0)`,
      this.#nextTurn(),
    );
  }

  /** Adds the host of a waiting URL, unless the table has it. Call it in a transaction. */
  add(host: string): void {
    if (this.#storedHosts.has(host)) return;
    this.#database.run(`insert or ignore into hosts values (?, ${READY}, ?)`, host, this.#nextTurn());
    if (this.#storedHosts.size >= MAX_CACHED) this.#storedHosts.clear();
    this.#storedHosts.add(host);
  }

  /** Claims at most `limit` hosts: those that are ready the longest. They go to the end of the order. */
  claim(limit: number): string[] {
    const ready = this.#database.all<{ host: string }>(
      `select host from hosts where state = ${READY} order by turn, host limit ?`,
      limit,
    );
    const hosts = ready.map(({ host }) => host);
    if (hosts.length > 0) this.#write(() => this.#setState(hosts, CLAIMED));
    return hosts;
  }

  /** Ends the turn of a host. Returns whether it has waiting URLs: then it is ready again, after all others. */
  release(host: string): boolean {
    const waiting = this.#database.get('select 1 from urls where state = 0 and host = ? limit 1', host);
    this.#write(() => {
      if (waiting !== undefined) this.#setState([host], READY);
      else {
        this.#database.run('delete from hosts where host = ?', host);
        this.#storedHosts.delete(host);
      }
    });
    return waiting !== undefined;
  }

  /** Ends the turn of a host that no longer responds. It is not ready again before the next start. */
  exclude(host: string): void {
    this.#write(() => this.#setState([host], UNRESPONSIVE));
  }

  count(): HostCounts {
    const unresponsive = `select count(*) as count from hosts where state = ${UNRESPONSIVE}`;
    const all = 'select count(distinct host) as count from urls where state in (0, 1, 2)';
    return { unresponsive: readCount(this.#database, unresponsive), all: readCount(this.#database, all) };
  }

  /** Clears the cache after a rollback. */
  reset(): void {
    this.#storedHosts.clear();
    this.#turn = undefined;
  }

  #setState(hosts: readonly string[], state: number): void {
    for (const host of hosts)
      this.#database.run(
        'update hosts set state = ?, turn = ? where host = ?',
        state,
        this.#nextTurn(),
        host,
      );
  }

  #nextTurn(): number {
    this.#turn ??= this.#database.get<{ turn: number }>(
      'select coalesce(max(turn), 0) as turn from hosts',
    )?.turn;
    this.#turn = (this.#turn ?? 0) + 1;
    return this.#turn;
  }

  #write(work: () => void): void {
    try {
      this.#database.transaction(work);
    } catch (error) {
      this.reset();
      throw error;
    }
  }
}
