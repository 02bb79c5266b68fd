// The part of a store that services with access to private addresses use. Its entries can disclose responses of internal hosts. Under keys
// of their own they are never read by a service without that access, also if it uses the same store, such as the same service after a
// restart with other options.
import type { FullStore } from '@maycrawl/client';

/** No origin has this prefix. */
const PREFIX = 'private:';

const toKey = (origin: string): string => PREFIX + origin;

/** What the service does with the entries of a store. */
export type ServiceStore = Pick<
  FullStore,
  'get' | 'record' | 'lease' | 'renew' | 'release' | 'evictions' | 'events' | 'list'
>;

/** Returns a view of a store that has only the entries of the partition. */
export function createPrivatePartition(store: ServiceStore): ServiceStore {
  return {
    get evictions(): number {
      return store.evictions;
    },
    get: (origin) => store.get(toKey(origin)),
    record: (origin, observation, owner) => store.record(toKey(origin), observation, owner),
    events: (origin) => store.events(toKey(origin)),
    list: async (limit, after = '') =>
      (await store.list(limit, toKey(after)))
        .filter((key) => key.startsWith(PREFIX))
        .map((key) => key.slice(PREFIX.length)),
    lease: (origin, owner, milliseconds) => store.lease(toKey(origin), owner, milliseconds),
    renew: (leases, milliseconds) =>
      store.renew(
        leases.map(({ origin, owner }) => ({ origin: toKey(origin), owner })),
        milliseconds,
      ),
    release: (origin, owner) => store.release(toKey(origin), owner),
  };
}
