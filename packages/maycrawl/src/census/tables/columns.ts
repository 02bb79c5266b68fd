/**
 * The columns of both tables. docs/census.md describes them.
 *
 * @module
 */
import type { AccessClass } from '@maycrawl/core/proofs';
import { type BodyJudgement, GROUP_KINDS } from '../judge/body-judge.ts';
import type { Outcome } from '../judge/outcome.ts';

/** A row of the table `captures`. */
export interface CaptureRow {
  readonly host: string;
  /** The registrable domain; `null` for IP addresses and public suffixes. */
  readonly domain: string | null;
  readonly scheme: string;
  readonly port: number;
  /** `null` if it is `/robots.txt`. */
  readonly path: string | null;
  readonly time: number | null;
  readonly status: number | null;
  readonly outcome: Outcome;
  /** The SHA-256 of the body, in base 16; `null` without a file. */
  readonly digest: string | null;
  readonly location: string | null;
  readonly hops: number;
  readonly isTruncated: boolean;
  readonly input: string;
  readonly offset: number;
}

/** A row of the table `files`. */
export interface FileRow extends BodyJudgement {
  readonly digest: string;
}

/** The types of columns. */
export type ColumnType = 'string' | 'int32' | 'int64' | 'boolean' | 'timestamp';

/** The name and type of a value. A value with fields is a structure: an object with their names. */
export interface Field {
  readonly name: string;
  readonly type?: ColumnType;
  /** @defaultValue `false` */
  readonly isNullable?: boolean;
  readonly fields?: readonly Field[];
}

/** A column of rows of the type `Row`. */
export interface Column<Row> extends Field {
  readonly get: (row: Row) => unknown;
}

/** The columns of the table `captures`. */
export const CAPTURE_COLUMNS: readonly Column<CaptureRow>[] = [
  { name: 'host', type: 'string', get: (row) => row.host },
  { name: 'domain', type: 'string', isNullable: true, get: (row) => row.domain },
  { name: 'scheme', type: 'string', get: (row) => row.scheme },
  { name: 'port', type: 'int32', get: (row) => row.port },
  { name: 'path', type: 'string', isNullable: true, get: (row) => row.path },
  { name: 'time', type: 'timestamp', isNullable: true, get: (row) => row.time },
  { name: 'status', type: 'int32', isNullable: true, get: (row) => row.status },
  { name: 'outcome', type: 'string', get: (row) => row.outcome },
  { name: 'digest', type: 'string', isNullable: true, get: (row) => row.digest },
  { name: 'location', type: 'string', isNullable: true, get: (row) => row.location },
  { name: 'hops', type: 'int32', get: (row) => row.hops },
  { name: 'truncated', type: 'boolean', get: (row) => row.isTruncated },
  { name: 'input', type: 'string', get: (row) => row.input },
  { name: 'offset', type: 'int64', get: (row) => BigInt(row.offset) },
];

const AGENT_FIELDS: readonly Field[] = [
  { name: 'class', type: 'string' },
  { name: 'group', type: 'string' },
  { name: 'allowedPath', type: 'string', isNullable: true },
  { name: 'allowedLine', type: 'int32', isNullable: true },
  { name: 'disallowedPath', type: 'string', isNullable: true },
  { name: 'disallowedLine', type: 'int32', isNullable: true },
];

/**
 * Returns the columns of the table `files`.
 *
 * @param agents - their names, which are the fields of the column `agents`.
 * @param readAs - the names of other readings, which are the fields of the column `readAs`.
 */
export function createFileColumns(
  agents: readonly string[],
  readAs: readonly string[],
): readonly Column<FileRow>[] {
  return [
    { name: 'digest', type: 'string', get: (row) => row.digest },
    { name: 'kind', type: 'string', get: (row) => row.kind },
    { name: 'bytes', type: 'int32', get: (row) => row.bytes },
    { name: 'overLimit', type: 'boolean', get: (row) => row.isOverLimit },
    { name: 'userAgents', type: 'int32', get: (row) => row.userAgents },
    { name: 'rules', type: 'int32', get: (row) => row.rules },
    { name: 'sitemaps', type: 'int32', get: (row) => row.sitemaps },
    {
      name: 'agents',
      fields: agents.map((name) => ({ name, fields: AGENT_FIELDS })),
      get: (row) => toAgentValues(row, agents),
    },
    ...(readAs.length === 0 ? [] : [createReadingColumn(agents, readAs)]),
  ];
}

function createReadingColumn(agents: readonly string[], readAs: readonly string[]): Column<FileRow> {
  const fields = agents.map((name): Field => ({ name, type: 'string', isNullable: true }));
  const toClasses = (classes: FileRow['readAs'][number] = []): object =>
    Object.fromEntries(agents.map((name, index) => [name, classes[index]]));
  return {
    name: 'readAs',
    fields: readAs.map((name) => ({ name, fields })),
    get: (row) => Object.fromEntries(readAs.map((name, index) => [name, toClasses(row.readAs[index])])),
  };
}

/** Returns the value of each agent. Agents with the same class and kind of groups share an object: most agents of a file do. */
function toAgentValues(
  { classes, classOfAgent, groupOfAgent }: FileRow,
  agents: readonly string[],
): Readonly<Record<string, object>> {
  const shared: object[] = [];
  const values: Record<string, object> = {};
  for (const [agent, name] of agents.entries()) {
    const group = groupOfAgent[agent] as number;
    const place = (classOfAgent[agent] as number) * GROUP_KINDS.length + group;
    shared[place] ??= toAgentValue(classes[classOfAgent[agent] as number] as AccessClass, group);
    values[name] = shared[place];
  }
  return values;
}

function toAgentValue({ kind, allowed, disallowed }: AccessClass, group: number): object {
  return {
    class: kind,
    group: GROUP_KINDS[group],
    allowedPath: allowed?.path ?? null,
    allowedLine: allowed?.line ?? null,
    disallowedPath: disallowed?.path ?? null,
    disallowedLine: disallowed?.line ?? null,
  };
}
