/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/internal`: what `maycrawl` needs of the client besides its public entries: the HTTP layer with its guard against
 * private addresses, the databases, the stored state of origins. It can change in every release, so do not import it elsewhere.
 *
 * @module
 */

export { isPostgresUrl, openDatabase, toSqlDatabase } from './database/connection.ts';
export { DatabaseError } from './database/database-error.ts';
export type { SqlValue } from './database/drivers.ts';
export { getLeaseTime, isLeasedAt, LeaseRenewal } from './database/lease.ts';
export { migrate, requireReadable, type Schema } from './database/migrate.ts';
export { openSqlite } from './database/open-sqlite.ts';
export { openPostgres, type PostgresOptions } from './database/postgres.ts';
export { makeFolder, makePrivateFolder } from './database/private-file.ts';
export { joinSql, rawSql, type Sql, type SqlConnection, type SqlDatabase, sql } from './database/sql.ts';
export type { SqliteDatabase } from './database/sqlite.ts';
export { lockFile } from './database/sqlite-lock.ts';
export { sleepUnlessAborted, unlessAborted } from './event-loop/abort.ts';
export { InFlight } from './event-loop/in-flight.ts';
export { TimeSlices, timeSlices } from './event-loop/time-slice.ts';
export { type AddressPolicy, createAddressPolicy } from './http/address-policy.ts';
export { type Backoff, getBackoff, getJitter } from './http/backoff.ts';
export { connectTo } from './http/connector.ts';
export { ACCEPT_ENCODING, getCodings, readBody } from './http/content-decoding.ts';
export { queryNames } from './http/dns/dns-query.ts';
export { getSharedResolver, type Resolver } from './http/dns/resolver.ts';
export { isLocalFailure, isRemoteFailure } from './http/local-failure.ts';
export type { CollectedResponse } from './http/pool/collected-request.ts';
export { ConnectionPool, type ConnectionPoolOptions } from './http/pool/connection-pool.ts';
export type { StreamedResponse } from './http/pool/streamed-request.ts';
export {
  decodeLocation,
  followRedirects,
  isRedirectStatus,
  type RedirectResponse,
} from './http/redirects.ts';
export { describeRequestFailure, RequestError } from './http/request-failure.ts';
export { isOverloaded, parseRetryAfter } from './http/retry-after.ts';
export { sendSingleRequest } from './http/single-request.ts';
export { DECISION_CHANNEL, publishDecision } from './origins/events/decision-event.ts';
export { type Fetcher, fetchOrigin, reportFetch } from './origins/fetch-origin.ts';
export { Origins } from './origins/origins.ts';
export { requireStore } from './origins/origins-options.ts';
export { mayFollowRedirect } from './origins/redirect-rules.ts';
export { addRefusal } from './origins/refusal.ts';
export { requestHome } from './origins/site-check.ts';
export { visitByHost } from './origins/visit-by-host.ts';
export { type PaceBounds, RequestPace } from './pace/request-pace.ts';
export { requireUserAgent } from './robots/fetch-options.ts';
export { NO_HEADERS } from './robots/fetch-result.ts';
export { getFreshnessLifetime } from './robots/freshness.ts';
export { toStale } from './robots/history.ts';
export { createChange } from './robots/observation.ts';
export { getEffectivePolicy } from './robots/outage/outage-policy.ts';
export { fromStored, fromStoredPolicy, isStoredKind, toStored } from './robots/stored.ts';
export {
  IDENTITY_FILE,
  KEYS_FOLDER,
  readIdentity,
  type StoredIdentity,
  type StoredKey,
} from './signatures/identity-folder.ts';
export {
  getThumbprint,
  isTestKey,
  type KeyDirectory,
  MAX_DIRECTORY_BYTES,
  MAX_DIRECTORY_KEYS,
  type PublicKey,
  parseKeyDirectory,
  toPublicKey,
  verifyWithKey,
} from './signatures/key-directory.ts';
export { createComponent, type MessageSignature, signMessage } from './signatures/sign-message.ts';
export {
  DIRECTORY_PATH,
  DIRECTORY_TAG,
  DIRECTORY_TYPE,
  REQUEST_TAG,
  toAgentOrigin,
} from './signatures/signature-agent.ts';
export { buildSignatureBase, type ComponentReader, serializeMember } from './signatures/signature-base.ts';
export {
  type Dictionary,
  type InnerList,
  type Item,
  isInnerList,
  parseDictionary,
  parseItem,
} from './signatures/structured-fields.ts';
export { readFirstChunk } from './streams.ts';
