// From the parts of a pattern to the layout of its lines.
import type { FieldName } from '../create-request.ts';
import type { Layout, LayoutField } from './layout.ts';

/** A part of a pattern: a text, or a field. */
export type PatternPart = string | FieldPart;

interface FieldPart {
  /** Absent: the value is skipped. */
  readonly name?: FieldName | undefined;
  readonly time?: string | undefined;
  /** The name of a header field, in lower case. */
  readonly header?: string | undefined;
  /** A question mark if the request has a query, or else nothing. */
  readonly isQueryMark?: boolean;
}

/** Builds a layout. Texts that follow each other are joined. */
export function buildLayout(
  parts: readonly PatternPart[],
  options: Pick<Layout, 'hasEscapes' | 'allowsMore'>,
): Layout {
  const fields: { -readonly [Name in keyof LayoutField]: LayoutField[Name] }[] = [];
  let before = '';
  for (const part of joinQueries(parts)) {
    const last = fields.at(-1);
    if (typeof part === 'string') {
      if (last === undefined) before += part;
      else last.after += part;
      continue;
    }
    // `$scheme://$host$request_uri`: the path begins with a slash.
    if (last?.after === '' && isPath(part.name)) {
      last.after = '/';
      last.startsNext = true;
    }
    fields.push({ ...part, after: '' });
  }
  return { ...options, before, fields };
}

/** Joins a path and the query that follows it without a text between them: `$uri$is_args$args`, `%U%q`. */
function joinQueries(parts: readonly PatternPart[]): FieldOrText[] {
  const joined: FieldOrText[] = [];
  for (const part of parts) {
    if (typeof part === 'string') {
      joined.push(part);
      continue;
    }
    const { isQueryMark, ...field } = part;
    const last = joined.at(-1);
    const follows = typeof last === 'object' && (last.name === 'path' || last.name === 'pathAndQuery');
    if (follows && (isQueryMark === true || field.name === 'query'))
      joined[joined.length - 1] = { name: 'pathAndQuery' };
    else if (typeof last === 'object' && last.name === 'query' && field.name === 'query') continue;
    else joined.push(isQueryMark === true ? { name: 'query' } : field);
  }
  return joined;
}

type FieldOrText = string | Omit<FieldPart, 'isQueryMark'>;

function isPath(name: FieldName | undefined): boolean {
  return name === 'target' || name === 'path' || name === 'pathAndQuery';
}
