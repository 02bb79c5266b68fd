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

/** A column of rows of the type `Row`. A column with fields is a structure. */
export interface Column<Row> {
  readonly name: string;
  readonly type?: ColumnType;
  /** @defaultValue `false` */
  readonly isNullable?: boolean;
  readonly fields?: readonly Column<unknown>[];
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

/** What one agent may fetch, as a structure. */
interface AgentCell {
  readonly class: AccessClass;
  readonly group: string;
}

const AGENT_FIELDS: readonly Column<AgentCell>[] = [
  { name: 'class', type: 'string', get: (cell) => cell.class.kind },
  { name: 'group', type: 'string', get: (cell) => cell.group },
  { name: 'allowedPath', type: 'string', isNullable: true, get: (cell) => cell.class.allowed?.path ?? null },
  { name: 'allowedLine', type: 'int32', isNullable: true, get: (cell) => cell.class.allowed?.line ?? null },
  {
    name: 'disallowedPath',
    type: 'string',
    isNullable: true,
    get: (cell) => cell.class.disallowed?.path ?? null,
  },
  {
    name: 'disallowedLine',
    type: 'int32',
    isNullable: true,
    get: (cell) => cell.class.disallowed?.line ?? null,
  },
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
      fields: agents.map((name, index) => ({
        name,
        fields: AGENT_FIELDS as readonly Column<unknown>[],
        get: (row) => getCell(row as FileRow, index),
      })),
      get: (row) => row,
    },
    ...(readAs.length === 0 ? [] : [createReadingColumn(agents, readAs)]),
  ];
}

function createReadingColumn(agents: readonly string[], readAs: readonly string[]): Column<FileRow> {
  return {
    name: 'readAs',
    fields: readAs.map((reading, place) => ({
      name: reading,
      fields: agents.map((name, index) => ({
        name,
        type: 'string',
        isNullable: true,
        get: (classes) => (classes as FileRow['readAs'][number])[index],
      })),
      get: (row) => (row as FileRow).readAs[place],
    })),
    get: (row) => row,
  };
}

function getCell({ classes, classOfAgent, groupOfAgent }: FileRow, agent: number): AgentCell {
  return {
    class: classes[classOfAgent[agent] as number] as AccessClass,
    group: GROUP_KINDS[groupOfAgent[agent] as number] as string,
  };
}
