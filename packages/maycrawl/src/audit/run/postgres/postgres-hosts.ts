/**
 * The hosts of a run in PostgreSQL, in the order of their turns. Each worker has leases on hosts.
 *
 * @module
 */
import { isLeased, MAX_WALL_CLOCK_LEASE, type PostgresDatabase } from '@maycrawl/client/database';
import type { HostCounts, HostRotation } from '../host-rotation.ts';
import type { RunRow } from './postgres-urls.ts';

/** Maximum number of hosts that a worker claims at a time, because other workers need hosts, too. */
const MAX_CLAIMED = 4;
/** The condition of hosts with waiting URLs. */
const WAITS =
  'exists (select 1 from audit_urls u where u.run = $1 and u.host = audit_hosts.host and u.state = 0)';
/** The end of the order: the time of all workers. */
const LAST_TURN = '(extract(epoch from clock_timestamp()) * 1000000)::bigint';

/** The hosts of a run for one worker. */
export class PostgresHosts implements HostRotation {
  readonly #database: PostgresDatabase;
  readonly #run: number;
  readonly #owner: string;
  readonly #lease: number;

  /** @param lease - in milliseconds. */
  constructor(
    database: PostgresDatabase,
    { id }: RunRow,
    { owner, lease }: { readonly owner: string; readonly lease: number },
  ) {
    this.#database = database;
    this.#run = id;
    this.#owner = owner;
    this.#lease = lease;
  }

  async start(): Promise<void> {
    await this.#database.query(
      'update audit_hosts set unresponsive = false where run = $1 and unresponsive',
      [this.#run],
    );
  }

  async claim(limit: number, now: number): Promise<string[]> {
    return this.#database.transaction(async (client) => {
      const { rows } = await client.query<{ host: string }>(
        `select host from audit_hosts where run = $1 and not unresponsive and owner is distinct from $2
           and (owner is null or not ${isLeased('until', '$3', MAX_WALL_CLOCK_LEASE)}) and ${WAITS}
         order by turn, host limit $4 for update skip locked`,
        [this.#run, this.#owner, now, Math.min(limit, MAX_CLAIMED)],
      );
      const hosts = rows.map(({ host }) => host);
      await client.query(
        `update audit_hosts set owner = $2, until = $3, turn = ${LAST_TURN} where run = $1 and host = any($4)`,
        [this.#run, this.#owner, now + this.#lease, hosts],
      );
      return hosts;
    });
  }

  async release(host: string): Promise<boolean> {
    const { rows } = await this.#database.query<{ waits: boolean }>(
      `update audit_hosts set owner = null, until = 0, turn = ${LAST_TURN}
       where run = $1 and owner = $2 and host = $3 returning ${WAITS} as waits`,
      [this.#run, this.#owner, host],
    );
    return rows[0]?.waits === true;
  }

  async exclude(host: string): Promise<void> {
    await this.#database.query(
      'update audit_hosts set owner = null, until = 0, unresponsive = true where run = $1 and host = $2',
      [this.#run, host],
    );
  }

  async hasOthers(): Promise<boolean> {
    const { rows } = await this.#database.query(
      `select 1 from audit_hosts where run = $1 and not unresponsive and owner is distinct from $2 and ${WAITS} limit 1`,
      [this.#run, this.#owner],
    );
    return rows.length > 0;
  }

  async count(): Promise<HostCounts> {
    const { rows } = await this.#database.query<HostCounts>(
      `select count(*) filter (where unresponsive and ${WAITS}) as unresponsive,
         (select count(distinct host) from audit_urls where run = $1 and state in (0, 1, 2)) as all
       from audit_hosts where run = $1`,
      [this.#run],
    );
    return rows[0] ?? { unresponsive: 0, all: 0 };
  }
}
