// Statements of a page that declare nothing, although their author meant something.

import { encodeUtf8 } from '../../bytes/platform.ts';
import { truncate } from '../../bytes/truncate.ts';
import { type DeclarationFormat, PREFERENCE_SYNTAX, parseDeclaration } from '../declaration.ts';
import { explainDictionary } from '../dictionary.ts';
import { parseReservation } from '../documents/tdmrep.ts';
import { findLabel } from '../labels.ts';
import { OMITTED_STATEMENTS } from '../source-problem.ts';
import { type PageSources, requirePageSources } from '../sources.ts';
import { limitText } from '../statement.ts';
import { INLINE_NAME, readInlineRsl } from './inline-rsl.ts';
import { getNamedValues, type NamedValue, selectValues } from './named-values.ts';
import { isAboutUse, isDirectiveList, joinDeclarations } from './page-statements.ts';

/** A header or a meta element that declares nothing, or an RSL document in the page that was not read, or not wholly. */
export interface PageProblem {
  readonly source: 'header' | 'meta' | 'html';
  readonly name: string;
  /** As written, at most 300 characters of it; empty for an RSL document, and for
   * several headers and meta elements. */
  readonly text: string;
  /** Why, as a clause. */
  readonly reason: string;
}

/** This key of Content-Signal has levels as its values. */
const LEVEL = 'use';

/**
 * Finds the headers and meta elements of a page that declare nothing, or with a value that their format does not define, and the RSL
 * documents that were not read, or not wholly.
 */
export function findPageProblems(sources: PageSources): PageProblem[] {
  requirePageSources(sources);
  const { values, problem } = selectValues(getNamedValues(sources).filter(isAboutUse), isDirectiveList);
  return [
    ...joinDeclarations(values).flatMap(({ value, format }) => {
      const reason = explainDeclaration(value.value, format);
      return reason === null ? [] : [toProblem(value, reason)];
    }),
    ...values.flatMap((value) =>
      value.name.trim().toLowerCase() !== 'tdm-reservation' || parseReservation(value.value) !== null
        ? []
        : [toProblem(value, 'its value is neither 0 nor 1')],
    ),
    ...(problem === null ? [] : [toUnread(problem)]),
    ...readInlineRsl(sources).problems.map(
      ({ line, reason }): PageProblem => ({
        ...{ source: 'html', name: INLINE_NAME, text: '' },
        reason: line === null ? reason : `line ${line}: ${reason}`,
      }),
    ),
    ...(sources.isTruncated === true
      ? [{ source: 'html', name: 'page', text: '', reason: OMITTED_STATEMENTS.reason } as const]
      : []),
  ];
}

function toUnread({ source, name, reason }: Omit<PageProblem, 'text'>): PageProblem {
  return { source, name, text: '', reason };
}

function toProblem({ source, name, value }: NamedValue, reason: string): PageProblem {
  return { source, name, text: limitText(value), reason };
}

/** Explains why a declaration says nothing, or less than it seems to; `null` if it is right. */
function explainDeclaration(text: string, format: DeclarationFormat): string | null {
  const bytes = encodeUtf8(text);
  const { path, keys, isClean } = parseDeclaration(format, bytes, 0, bytes.length);
  if (path !== null) return 'a path belongs to robots.txt';
  if (bytes.length === 0) return 'it is empty';
  if (format === 'content-usage' && !isClean) return explainDictionary(bytes, 0, bytes.length).reason;
  if (keys.length === 0) return 'no part of it has the form "label=yes" or "label=no"';
  const known = keys.filter(({ key }) => findLabel(format, key) !== undefined);
  if (known.length === 0) return `"${truncate(keys[0]?.key ?? '', MAX_KEY)}" is not a label of its format`;
  const wrong = known.find(
    ({ key, value }) => value === 'unknown' && !(format === 'content-signal' && key === LEVEL),
  );
  const { allowed, disallowed } = PREFERENCE_SYNTAX[format];
  return wrong === undefined ? null : `the value of "${wrong.key}" is not ${allowed} or ${disallowed}`;
}

const MAX_KEY = 40;
