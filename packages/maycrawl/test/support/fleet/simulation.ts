// A fleet on this machine: crawlers with a store in PostgreSQL, with one in Redis, and with three instances of the service behind nginx,
// while its parts are restarted and killed. docs/fleet.md describes it.
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startPostgres } from '../../../../client/test/support/postgres.ts';
import { startRedis } from '../../../../client/test/support/redis-server.ts';
import { getDecisionPath } from '../service.ts';
import { type Fault, HANDED_OVER } from './faults.ts';
import { Instance, restartAll } from './instance.ts';
import { findFreePorts, Nginx } from './nginx.ts';
import { type CrawlerMessage, GROUPS, Part } from './parts.ts';
import { AGENT, getHost } from './sites.mjs';
import { UsageRecorder } from './usage.ts';

interface SimulationOptions {
  /** Where the parts write their files. */
  readonly folder: string;
  /** Programs of PostgreSQL. */
  readonly programs: string;
  /** Milliseconds. */
  readonly duration: number;
  readonly sites: number;
  /** Decisions of a crawler in a second, for its group's share of it. */
  readonly rate: number;
  /** How often each fault is repeated. */
  readonly rounds: number;
  /** Milliseconds between two measurements of memory. */
  readonly sampling: number;
  readonly report: (line: string) => void;
}

export interface SimulationRecord {
  readonly startedAt: number;
  readonly endedAt: number;
  readonly faults: readonly Fault[];
  readonly usage: UsageRecorder['parts'];
  /** The last counts of each crawler, since its last start. */
  readonly counts: Readonly<Record<string, CrawlerMessage['counts']>>;
}

/** The time from the first requests for sites that are handed over until the process is killed. Milliseconds. */
const [HAND_OVER_PAUSE, KILL_PAUSE] = [300, 600];
/** Until another process has fetched them: the lease, and the response. Milliseconds. */
const TAKEOVER_TIME = 9_000;
/** The sites that a killed crawler starts with again: those of its last seconds. */
const REPEATED = 30;
/** How long crawlers that are late may take longer. */
const LONGEST_REST = 300_000;
/** How long a part is not there. Milliseconds. */
const DOWN_TIME = 5_000;

/** Runs the simulation. All that it starts has ended when it resolves or rejects. */
export async function simulateFleet(options: SimulationOptions): Promise<SimulationRecord> {
  const { folder, duration, sites: count, rate, rounds, report } = options;
  const ends: (() => unknown)[] = [];
  try {
    const [sitePort = 0, port = 0, ...ports] = await findFreePorts(5);
    const siteOptions = { log: join(folder, 'sites.log'), count, port: sitePort };
    const sites = new Part('sites', new URL('./site-server.mjs', import.meta.url), () => siteOptions);
    ends.push(() => sites.kill());
    await sites.start();
    const postgres = await startPostgres(options.programs);
    ends.push(() => postgres.destroy());
    // What was acknowledged is in the file when the process is killed.
    const redis = await startRedis('--appendonly', 'yes');
    ends.push(() => redis.close());
    const instances = ports.map(
      (each, index) =>
        new Instance(
          each,
          postgres.url,
          ['--timeout', '5s', '--user-agent', `${AGENT}/1.0 (instance-${index})`],
          join(folder, `instance-${index}.store.log`),
        ),
    );
    ends.push(() => Promise.all(instances.map((each) => each.stop('SIGKILL'))));
    // One after another: the first one creates the tables.
    for (const instance of instances) await instance.start();
    const nginx = new Nginx(
      folder,
      port,
      instances.map((each) => each.port),
    );
    ends.push(() => nginx.stop());
    nginx.start();

    const places = { postgres: postgres.url, redis: redis.url, service: `http://127.0.0.1:${port}` };
    const startedAt = Date.now();
    const crawlers = GROUPS.flatMap(({ name: group, members, every, rate: share }) =>
      members.map((number, member) => {
        const name = `client-${number}`;
        const crawler: Part = new Part(name, new URL('./crawler.mjs', import.meta.url), () => {
          const last = crawler.message as CrawlerMessage | undefined;
          const next = Math.max((last?.next ?? member) - REPEATED * members.length, member);
          return {
            ...{ name, place: places[group], member, members: members.length, every, count, port: sitePort },
            ...{ rate: rate * share, startedAt, duration, next },
            ...{ log: join(folder, `${name}.log`), storeLog: join(folder, `${name}.store.log`) },
          };
        });
        return crawler;
      }),
    );
    ends.push(() => Promise.all(crawlers.map((each) => each.kill())));
    await Promise.all(crawlers.map((each) => each.start()));
    const usage = new UsageRecorder(
      options.sampling,
      () =>
        new Map<string, number | undefined>([
          ...crawlers.map((each) => [each.name, each.pid] as const),
          ...instances.map((each, index) => [`instance-${index}`, each.pid] as const),
          ['nginx', nginx.pid],
          ['postgres', postgres.pid],
          ['redis', redis.pid],
          ['sites', sites.pid],
        ]),
    );
    ends.push(() => usage.stop());
    report(`${count} sites, ${crawlers.length} crawlers, ${instances.length} instances are running`);

    const faults: Fault[] = [];
    const getCrawler = (number: number): Part => crawlers[number] as Part;
    const getReserved = (): number[] => {
      const first = count + faults.length * HANDED_OVER;
      return Array.from({ length: HANDED_OVER }, (_, index) => first + index);
    };
    const inject = async (name: string, victim: string, act: () => Promise<void>, handedOver?: number) => {
      const at = Date.now();
      await act();
      const recoveredAt = Date.now();
      faults.push({ name, victim, at, recoveredAt, ...(handedOver !== undefined && { handedOver }) });
      report(`${name}: ${recoveredAt - at} ms until it worked again`);
    };
    const bringDown = async (kill: () => Promise<void>, start: () => Promise<void> | void) => {
      await kill();
      await sleep(DOWN_TIME);
      await start();
    };
    const killCrawler = async (number: number, other?: number): Promise<void> => {
      const victim = getCrawler(number);
      const reserved = other === undefined ? undefined : getReserved();
      if (reserved !== undefined && other !== undefined) {
        victim.send(reserved);
        await sleep(HAND_OVER_PAUSE);
        getCrawler(other).send(reserved);
        await sleep(KILL_PAUSE);
      }
      const act = () =>
        bringDown(
          () => victim.kill(),
          () => victim.start(),
        );
      await inject(`kill -9 of a crawler (${victim.name})`, victim.name, act, reserved?.[0]);
      if (reserved !== undefined) await sleep(TAKEOVER_TIME);
    };
    const killInstance = async (): Promise<void> => {
      const [victim, other] = instances as [Instance, Instance];
      const reserved = getReserved();
      const decide = (instance: Instance): void => {
        for (const site of reserved) {
          const url = `http://${getHost(site, sitePort)}/about`;
          // The instance that is killed does not respond.
          fetch(`http://127.0.0.1:${instance.port}${getDecisionPath(url, AGENT)}`).then(
            (response) => response.arrayBuffer(),
            () => undefined,
          );
        }
      };
      decide(victim);
      await sleep(HAND_OVER_PAUSE);
      decide(other);
      await sleep(KILL_PAUSE);
      const act = () =>
        bringDown(
          () => victim.stop('SIGKILL'),
          () => victim.start(),
        );
      await inject('kill -9 of an instance', 'instance-0', act, reserved[0]);
      await sleep(TAKEOVER_TIME);
    };
    const events: readonly (() => Promise<void>)[] = [
      () => inject('rolling restart', 'none', () => restartAll(instances)),
      () => killCrawler(0, 1),
      () => killCrawler(3, 4),
      () => killCrawler(5),
      killInstance,
      () =>
        inject('kill -9 of nginx', 'nginx', () =>
          bringDown(
            () => nginx.kill(),
            () => nginx.start(),
          ),
        ),
      () =>
        inject('kill -9 of PostgreSQL', 'postgres service', () =>
          bringDown(
            () => postgres.kill(),
            () => postgres.start(),
          ),
        ),
      () =>
        inject('kill -9 of Redis', 'redis', () =>
          bringDown(
            () => redis.kill(),
            () => redis.start(),
          ),
        ),
      () =>
        inject('kill -9 of the server of the sites', 'sites', () =>
          bringDown(
            () => sites.kill(),
            () => sites.start(),
          ),
        ),
    ];
    const pause = duration / (rounds * events.length + 1);
    for (let index = 0; index < rounds * events.length; index++) {
      await sleep(Math.max(startedAt + (index + 1) * pause - Date.now(), 0));
      await (events[index % events.length] as () => Promise<void>)();
    }
    await sleep(Math.max(startedAt + duration + DOWN_TIME - Date.now(), DOWN_TIME));
    // On a busy machine crawlers have not started with all sites by then.
    const hasVisitedAll = (): boolean =>
      GROUPS.every(({ members, every }) =>
        members.every((number) => (getCrawler(number).message as CrawlerMessage).next * every >= count),
      );
    const latest = Date.now() + LONGEST_REST;
    while (!hasVisitedAll() && Date.now() < latest) await sleep(1_000);
    usage.sample();
    await Promise.all(crawlers.map((each) => each.stop()));
    const counts = crawlers.map(({ name, message }) => [name, (message as CrawlerMessage).counts]);
    return {
      ...{ startedAt, endedAt: Date.now(), faults, usage: usage.parts },
      counts: Object.fromEntries(counts),
    };
  } finally {
    for (const end of ends.reverse()) await end();
  }
}
