// The columns of both tables. docs/census-tables.md describes them.
import type { NamedAgent } from '@maycrawl/core/lint';
import type { AccessClass } from '@maycrawl/core/proofs';
import type { BodyJudgement } from '../judge/body-judge.ts';
import type { Outcome } from '../judge/outcome.ts';
import { type Column, createListColumn, type Field } from './column.ts';
import { CONTENT_COLUMNS, FINDING_COLUMN } from './content-columns.ts';

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
  /** The URL to which the Location header of a redirect leads, without its fragment; `null` if it is not an http or https URL. */
  readonly target: string | null;
  readonly hops: number;
  readonly isTruncated: boolean;
  readonly input: string;
  readonly offset: number;
}

/** A row of the table `files`. */
export interface FileRow extends BodyJudgement {
  readonly digest: string;
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
  {
    ...{ name: 'digest', type: 'string', isNullable: true, isIncompressible: true },
    get: (row) => row.digest,
  },
  { name: 'location', type: 'string', isNullable: true, get: (row) => row.location },
  { name: 'target', type: 'string', isNullable: true, get: (row) => row.target },
  { name: 'hops', type: 'int32', get: (row) => row.hops },
  { name: 'truncated', type: 'boolean', get: (row) => row.isTruncated },
  { name: 'input', type: 'string', get: (row) => row.input },
  { name: 'offset', type: 'int64', get: (row) => row.offset },
];

/**
 * Returns the columns of the table `files`.
 *
 * @param agents - their names, which are the fields of the column `agents`.
 * @param readAs - the names of other readings, which are the fields of the column `readAs`.
 * @param isLinting - whether there is a column `findings`.
 */
export function createFileColumns(
  agents: readonly string[],
  readAs: readonly string[],
  isLinting: boolean,
): readonly Column<FileRow>[] {
  return [
    { name: 'digest', type: 'string', isIncompressible: true, get: (row) => row.digest },
    { name: 'kind', type: 'string', get: (row) => row.kind },
    { name: 'bytes', type: 'int32', get: (row) => row.bytes },
    { name: 'overLimit', type: 'boolean', get: (row) => row.isOverLimit },
    { name: 'userAgents', type: 'int32', get: (row) => row.userAgents },
    { name: 'rules', type: 'int32', get: (row) => row.rules },
    { name: 'sitemaps', type: 'int32', get: (row) => row.sitemaps },
    createListColumn<FileRow, NamedAgent>('named', (row) => row.named, { fields: NAMED_FIELDS }),
    { name: 'unnamed', type: 'int32', get: (row) => row.unnamed },
    createListColumn<FileRow, AccessClass>('judgements', (row) => row.classes, { fields: JUDGEMENT_FIELDS }),
    { name: 'agents', fields: agents.map(createAgentFields) },
    ...CONTENT_COLUMNS,
    ...(isLinting ? [FINDING_COLUMN] : []),
    ...(readAs.length === 0 ? [] : [createReadingColumn(agents, readAs)]),
  ];
}

const NAMED_FIELDS: readonly Field<NamedAgent>[] = [
  { name: 'token', type: 'string', get: (each) => each.token },
  { name: 'value', type: 'string', get: (each) => each.text },
];

const JUDGEMENT_FIELDS: readonly Field<AccessClass>[] = [
  { name: 'class', type: 'string', get: (each) => each.kind },
  { name: 'allowedPath', type: 'string', isNullable: true, get: (each) => each.allowed?.path },
  { name: 'allowedLine', type: 'int32', isNullable: true, get: (each) => each.allowed?.line },
  { name: 'disallowedPath', type: 'string', isNullable: true, get: (each) => each.disallowed?.path },
  { name: 'disallowedLine', type: 'int32', isNullable: true, get: (each) => each.disallowed?.line },
];

function createAgentFields(name: string, agent: number): Field<FileRow> {
  const getPlace = (row: FileRow): number => row.classOfAgent[agent] as number;
  return {
    name,
    fields: [
      { name: 'class', type: 'string', get: (row) => row.classes[getPlace(row)]?.kind },
      { name: 'group', type: 'string', get: (row) => row.groupOfAgent[agent] },
      // Lists of SQL begin at 1.
      { name: 'judgement', type: 'int32', get: (row) => getPlace(row) + 1 },
    ],
  };
}

function createReadingColumn(agents: readonly string[], readAs: readonly string[]): Column<FileRow> {
  const createField = (name: string, reading: number, agent: number): Field<FileRow> => ({
    ...{ name, type: 'string', isNullable: true },
    get: (row) => row.readAs[reading]?.[agent],
  });
  return {
    name: 'readAs',
    fields: readAs.map((name, reading) => ({
      name,
      fields: agents.map((agent, index) => createField(agent, reading, index)),
    })),
  };
}
