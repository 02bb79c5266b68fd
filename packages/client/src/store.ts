/**
 * `@maycrawl/client/store`: the stores alone, without anything that opens a connection to a site.
 *
 * @module
 */
export { DatabaseError, type DatabaseErrorCode } from './database/database-error.ts';
export { applyObservation, type Observation } from './robots/observation.ts';
export type { StoreLimits, StoreOptions } from './store/limits.ts';
export { MemoryStore } from './store/memory.ts';
export { openPostgresStore, openSqliteStore } from './store/open-store.ts';
export type {
  ClientStore,
  EntryUsage,
  FullStore,
  Lease,
  Pruned,
  RobotsStore,
  StoreStats,
} from './store/store.ts';
