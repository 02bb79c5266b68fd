// The causes of a changed response, in words: what the server sends now instead of a plain file, and what to do about it.

import type { CachedResponse } from '@maycrawl/client';
import { type Diagnostic, type DiagnosticCode, describeDiagnostic, diagnose, parse } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import type { Aspect } from '../../api/watch/aspects.ts';
import { formatCount } from '../../text/counts.ts';
import { type FileCondition, getResponseCondition } from './file-condition.ts';

/** A cause of a change. */
export interface Cause {
  readonly aspect: Aspect;
  /** A clause that begins a title. */
  readonly clause: string;
  /** What the owner can do, as a sentence. */
  readonly advice: string;
}

/** Characters of a quoted line or URL. */
const MAX_QUOTED = 80;

/**
 * Finds the causes of a change that the new response shows.
 *
 * @param before - the response before; `null` if there was none.
 * @param base - the file that the new one is compared with.
 */
export function findCauses(
  origin: string,
  before: CachedResponse | null,
  base: Uint8Array,
  after: CachedResponse,
): Cause[] {
  const target = getOtherHost(origin, after);
  const isNewTarget = target !== undefined && (before === null || target !== getOtherHost(origin, before));
  const redirect = isNewTarget ? `robots.txt redirects to ${quote(getLastUrl(after) ?? target)}` : undefined;
  const condition = getResponseCondition(after);
  const failure = describeFailure(condition, after, redirect);
  if (failure !== undefined) return [failure];
  const redirects: Cause[] =
    redirect === undefined
      ? []
      : [
          {
            aspect: 'redirected',
            clause: redirect,
            advice: `the file of ${target} applies to ${origin}. If that is not intended, remove the redirect of /robots.txt.`,
          },
        ];
  return [...redirects, ...findTextCauses(base, after.bytes)];
}

/** Returns the host of the last URL after redirects if it is another one than the site's. */
function getOtherHost(origin: string, response: CachedResponse): string | undefined {
  const url = getLastUrl(response);
  if (url === undefined || !URL.canParse(url)) return undefined;
  const { host, hostname } = new URL(url);
  return hostname === new URL(origin).hostname ? undefined : host;
}

function getLastUrl({ hops }: CachedResponse): string | undefined {
  return hops.length > 1 ? hops.at(-1)?.url : undefined;
}

const STATUS_NAMES: Readonly<Record<number, string>> = {
  400: 'bad request',
  401: 'unauthorized',
  403: 'forbidden',
  404: 'not found',
  410: 'gone',
  451: 'unavailable for legal reasons',
};

/** What the server sends: as the object of `is`, and the advice. */
const FILE_FAILURES: Readonly<Record<Exclude<FileCondition, 'text'>, readonly [string, string]>> = {
  html: [
    'an HTML page',
    'serve the robots.txt itself at /robots.txt: often a catch-all route, a login or a maintenance page answers instead.',
  ],
  'utf-16': [
    'in UTF-16, which no crawler reads',
    'save the file as UTF-8 and publish it again: in UTF-16 none of its rules is recognized.',
  ],
  empty: ['an empty file', 'if that is not intended, publish the last version again.'],
};

/** Describes a response that is no file with rules. */
function describeFailure(
  condition: FileCondition | 'absent',
  response: CachedResponse,
  redirect: string | undefined,
): Cause | undefined {
  if (condition === 'text') return undefined;
  if (condition === 'absent') {
    const { status, code, message } = response;
    const name = status === null ? undefined : STATUS_NAMES[status];
    const result =
      code === 'http-status' && name !== undefined
        ? `status ${status} (${name})`
        : quote(message ?? 'no file');
    return {
      aspect: 'disappeared',
      clause:
        redirect === undefined
          ? `robots.txt responds with ${result}`
          : `${redirect}, which responds with ${result}`,
      advice: 'if that is not intended, publish the last version again.',
    };
  }
  const [what, advice] = FILE_FAILURES[condition];
  return {
    aspect: condition === 'empty' ? 'disappeared' : 'no-text',
    clause: redirect === undefined ? `robots.txt is ${what}` : `${redirect}, which is ${what}`,
    advice,
  };
}

const CUT: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>(['file-too-large']);
const NOT_UNDERSTOOD: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'invalid-line',
  'empty-field-name',
  'unrecognized-field-name',
  // With an unknown field, which other parsers do not read either.
  'missing-colon',
]);
const CONFLICT: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>(['merge-conflict-marker']);
const WITHOUT_EFFECT: ReadonlySet<DiagnosticCode> = new Set<DiagnosticCode>([
  'rule-before-group',
  'pattern-without-slash',
]);

/** The end of a cause in a text: a clause of a title. */
export interface TextFix {
  readonly aspect: Aspect;
  readonly clause: string;
}

/** Finds the causes in a text that the next text does not have any more. */
export function findTextFixes(before: Uint8Array, after: Uint8Array): TextFix[] {
  const [old, now] = [findDiagnostics(before), findDiagnostics(after)];
  const hasEnded = (codes: ReadonlySet<DiagnosticCode>): boolean =>
    old.some(({ code }) => codes.has(code)) && !now.some(({ code }) => codes.has(code));
  const fixes: readonly (readonly [ReadonlySet<DiagnosticCode>, string])[] = [
    [CUT, 'the file is not cut any more'],
    [CONFLICT, 'the merge is resolved'],
    [NOT_UNDERSTOOD, 'every line is understood again'],
    [WITHOUT_EFFECT, 'every rule has an effect again'],
  ];
  return fixes.flatMap(([codes, clause]) =>
    hasEnded(codes) ? [{ aspect: 'text-fixed' as const, clause }] : [],
  );
}

/** Finds the causes in a text that the text before did not have: a cut at the size limit, and lines without an effect. */
function findTextCauses(before: Uint8Array, after: Uint8Array): Cause[] {
  const [old, now] = [findDiagnostics(before), findDiagnostics(after)];
  const findNew = (codes: ReadonlySet<DiagnosticCode>): readonly Diagnostic[] => {
    const found = now.filter(({ code }) => codes.has(code));
    return found.length > old.filter(({ code }) => codes.has(code)).length ? found : [];
  };
  const causes: Cause[] = [];
  const cut = now.find(({ code }) => code === 'file-too-large');
  if (cut !== undefined && !old.some(({ code }) => code === 'file-too-large')) {
    const rule = now.find(({ code }) => code === 'rule-truncated');
    const where = rule === undefined ? `after line ${formatCount(cut.line)}` : describeCutRule(rule);
    causes.push({
      aspect: 'truncated',
      clause: `robots.txt is longer than 500 KiB, and is cut ${where}`,
      advice: 'Google ignores everything after 500 KiB. Shorten the file, for example by patterns with *.',
    });
  }
  const add = (diagnostics: readonly Diagnostic[], describe: (count: number) => string): void => {
    const [first] = diagnostics;
    if (first === undefined) return;
    causes.push({
      aspect: 'not-understood',
      clause: `${describe(diagnostics.length)} (line ${formatCount(first.line)}: ${quote(getText(first))})`,
      advice: `correct line ${formatCount(first.line)}: ${describeDiagnostic(first)}`,
    });
  };
  const [marker] = findNew(CONFLICT);
  if (marker !== undefined)
    causes.push({
      aspect: 'not-understood',
      clause: `robots.txt contains merge conflict markers (${marker.data['lines']})`,
      advice: `correct line ${formatCount(marker.line)}: ${describeDiagnostic(marker)}`,
    });
  add(findNew(NOT_UNDERSTOOD), (count) =>
    count === 1
      ? '1 line is not understood by any crawler'
      : `${formatCount(count)} lines are not understood by any crawler`,
  );
  add(findNew(WITHOUT_EFFECT), (count) =>
    count === 1 ? '1 rule has no effect' : `${formatCount(count)} rules have no effect`,
  );
  return causes;
}

/** Finds diagnostics, but of missing colons only those after an unknown field: the others are read as they are meant. */
function findDiagnostics(bytes: Uint8Array): Diagnostic[] {
  const all = diagnose(parse(bytes));
  const unknown = new Set(all.flatMap(({ code, line }) => (code === 'unknown-field' ? line : [])));
  return all.filter(({ code, line }) => code !== 'missing-colon' || unknown.has(line));
}

function describeCutRule({ line, data }: Diagnostic): string {
  return `in line ${formatCount(line)} to "${quote(String(data['truncated']))}"`;
}

function getText({ data, code }: Diagnostic): string {
  const text = data['text'] ?? data['pattern'] ?? data['field'];
  return text === undefined ? code : `"${text}"`;
}

function quote(text: string): string {
  return truncate(text, MAX_QUOTED);
}
