/**
 * The order in which the hosts of a run take turns (host-rotation.ts).
 *
 * @module
 */

/** The hosts of one run that have waiting URLs. */
export const SQLITE_HOSTS = `
create table hosts (
  host text primary key,               -- with its port
  state integer not null,              -- 0 ready, 1 claimed, 2 unresponsive
  turn integer not null                -- the order: the host with the least one is next
) without rowid;
create index hosts_ready on hosts (turn, host) where state = 0;
`;

export const POSTGRES_HOSTS = `
alter table audit_hosts add column turn bigint not null default 0;
alter table audit_hosts add column unresponsive boolean not null default false;
`;
