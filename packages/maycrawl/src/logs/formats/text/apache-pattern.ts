// Patterns of Apache's LogFormat and CustomLog (https://httpd.apache.org/docs/2.4/mod/mod_log_config.html, httpd 2.4;
// `%I`, `%O` and `%S`: mod_logio). Directives that requests do not need are skipped.
import { quoteValue } from '@maycrawl/core/internal';
import type { FieldName } from '../create-request.ts';
import { CLF_TIME } from '../values/time-format.ts';
import { HEADER_FIELDS } from './header-fields.ts';
import type { Layout } from './layout.ts';
import { buildLayout, type PatternPart } from './pattern-parts.ts';

const FIELDS: Readonly<Record<string, FieldName>> = {
  a: 'address',
  h: 'hostname',
  r: 'request',
  m: 'method',
  U: 'path',
  q: 'query',
  s: 'status',
  b: 'bytes',
  B: 'bytes',
  O: 'bytes',
  v: 'serverName',
  V: 'requestHost',
  p: 'port',
};

/** Directives of mod_log_config and mod_logio, and of common modules, that are skipped or that are in {@link FIELDS}. */
const DIRECTIVES = 'aAbBCDeEfhHiIklLmnoOpPqrRsSTtuUvVX';

/**
 * Compiles a pattern: the format string, with or without the quotes and escapes of the configuration file, or the whole directive.
 *
 * @throws {RangeError} if the pattern is invalid.
 */
export function compileApachePattern(pattern: string): Layout {
  return buildLayout(parse(getFormat(pattern), pattern), { hasEscapes: true });
}

/** Returns the format string of a directive: `LogFormat "%h ... \"%r\"" nickname`. */
function getFormat(pattern: string): string {
  const directive = /^\s*(?:LogFormat|CustomLog|TransferLog)\s/i.exec(pattern);
  const quoted = directive === null ? pattern.trim() : pattern.slice(pattern.indexOf('"'));
  if (quoted[0] !== '"') return unescapeConfiguration(pattern);
  let end = 1;
  while (end < quoted.length && quoted[end] !== '"') end += quoted[end] === '\\' ? 2 : 1;
  // A string that begins with a quote of its own has no quotes of the file.
  return directive !== null || end === quoted.length - 1
    ? unescapeConfiguration(quoted.slice(1, end))
    : unescapeConfiguration(pattern);
}

function unescapeConfiguration(text: string): string {
  return text.replace(/\\(.)/gs, (_, char: string) => (char === 't' ? '\t' : char === 'n' ? '\n' : char));
}

function parse(text: string, pattern: string): PatternPart[] {
  const parts: PatternPart[] = [];
  for (let at = 0; at < text.length; ) {
    const percent = text.indexOf('%', at);
    if (percent < 0) return [...parts, text.slice(at)];
    if (percent > at) parts.push(text.slice(at, percent));
    if (text[percent + 1] === '%') {
      parts.push('%');
      at = percent + 2;
      continue;
    }
    const { part, next } = parseDirective(text, percent + 1, pattern);
    parts.push(...part);
    at = next;
  }
  return parts;
}

/** Parses `%[!][200,304][<|>][{name}]directive`. */
function parseDirective(
  text: string,
  start: number,
  pattern: string,
): { part: readonly PatternPart[]; next: number } {
  let at = start;
  while (at < text.length && '!,<>0123456789'.includes(text[at] as string)) at++;
  let name = '';
  if (text[at] === '{') {
    const end = text.indexOf('}', at);
    if (end < 0) throw new RangeError(`the pattern ${quoteValue(pattern)} has a "{" without "}"`);
    name = text.slice(at + 1, end);
    at = end + 1;
  }
  // `^` begins the directives for fields of trailers.
  const isTrailer = text[at] === '^';
  const length = isTrailer ? 3 : 1;
  const directive = text.slice(at, at + length);
  if (directive.length < length || (!isTrailer && !DIRECTIVES.includes(directive)))
    throw new RangeError(
      `the pattern ${quoteValue(pattern)} has an unknown directive %${directive} at character ${start}`,
    );
  return { part: isTrailer ? [{}] : toParts(directive, name), next: at + length };
}

function toParts(directive: string, name: string): readonly PatternPart[] {
  if (directive === 'i') {
    const header = name.toLowerCase();
    return [{ name: HEADER_FIELDS[header], header }];
  }
  if (directive === 't') {
    const time = name.replace(/^(?:begin|end):/, '');
    return time === '' || time === 'begin' || time === 'end' ? ['[', { time: CLF_TIME }, ']'] : [{ time }];
  }
  if (directive === 'a' && name === 'c') return [{ name: 'peer' }];
  const isPlain = name === '' || directive === 'p' || directive === 'h';
  return [{ name: isPlain && Object.hasOwn(FIELDS, directive) ? FIELDS[directive] : undefined }];
}
