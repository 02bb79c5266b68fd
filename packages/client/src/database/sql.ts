// SQL text with its values apart from it, for both databases: in SQLite a parameter is `?`, in PostgreSQL `$1`. And what runs it: one
// interface of SQLite and PostgreSQL for SQL that both understand.
import type { SqlValue } from './drivers.ts';

/** A statement or a piece of one. */
export class Sql {
  /** One more than values: what is before, between and behind them. */
  readonly texts: readonly string[];
  readonly values: readonly SqlValue[];

  constructor(texts: readonly string[], values: readonly SqlValue[]) {
    this.texts = texts;
    this.values = values;
  }

  /** The text. @param toParameter - returns the parameter of a number, from 1 on. */
  toText(toParameter: (number: number) => string): string {
    return this.texts.reduce((text, next, index) => `${text}${toParameter(index)}${next}`);
  }
}

/** Runs statements. */
export interface SqlConnection {
  readonly kind: 'sqlite' | 'postgres';
  /** All rows of a statement. */
  all<Row extends object>(query: Sql): Promise<Row[]>;
  /** The first row; `undefined` without rows. */
  get<Row extends object>(query: Sql): Promise<Row | undefined>;
  /** Runs a statement. @returns the number of rows that it changed. */
  run(query: Sql): Promise<number>;
  /** Runs statements of this program that have no parameters and no rows. They may take long. */
  exec(script: string): Promise<void>;
}

export interface SqlDatabase extends SqlConnection {
  /**
   * Runs work as one transaction. In PostgreSQL it may run again, if the server gave it up because of others.
   *
   * @throws {DatabaseError} if a statement fails, and what the work throws.
   */
  transaction<T>(work: (transaction: SqlConnection) => Promise<T>): Promise<T>;
  /** Reserves a connection for statements that must not wait for those of this object. A SQLite file has only one. */
  reserveConnection(): Pick<SqlConnection, 'run'>;
  /** Closes the database after the statements that run. */
  close(): Promise<void>;
}

/** What a template can contain: a value, or another piece of SQL. */
export type SqlPiece = SqlValue | Sql;

/**
 * A template tag. What is inserted is a value, or another piece of SQL.
 *
 * @example sql`select origin from watch_sites where due_at <= ${now} limit ${limit}`
 */
export function sql(texts: TemplateStringsArray, ...pieces: readonly SqlPiece[]): Sql {
  return weave(texts, pieces);
}

/** SQL without values. Only for text of this program. */
export function rawSql(text: string): Sql {
  return new Sql([text], []);
}

/** A list of values or pieces. @param separator - the text between them. */
export function joinSql(pieces: readonly SqlPiece[], separator: string = ', '): Sql {
  if (pieces.length === 0) return rawSql('');
  return weave(['', ...pieces.slice(1).map(() => separator), ''], pieces);
}

/** @param between - one more than pieces. */
function weave(between: readonly string[], pieces: readonly SqlPiece[]): Sql {
  // The texts of a template are the same array each time, so that its statement need not be written again.
  if (pieces.every(isValue)) return new Sql(between, pieces);
  const texts = [between[0] as string];
  const values: SqlValue[] = [];
  for (const [index, piece] of pieces.entries()) {
    const { texts: own, values: ownValues } = piece instanceof Sql ? piece : new Sql(['', ''], [piece]);
    texts.push(`${texts.pop()}${own[0]}`, ...own.slice(1));
    texts.push(`${texts.pop()}${between[index + 1]}`);
    values.push(...ownValues);
  }
  return new Sql(texts, values);
}

function isValue(piece: SqlPiece): piece is SqlValue {
  return !(piece instanceof Sql);
}

/**
 * A value as both databases store it. No text has a NUL: PostgreSQL refuses it, and drivers of SQLite cut the text there. U+FFFD takes its
 * place.
 */
export function toStorable(value: SqlValue): SqlValue {
  return typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value;
}
