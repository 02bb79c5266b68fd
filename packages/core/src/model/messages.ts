/**
 * The prose: what diagnostics and verdicts say to people. The only place where a code becomes a sentence, for
 * terminal, page and report alike. Content of the file is quoted as it is; whoever prints it must escape it.
 *
 * @module
 */

import type { OutOfScopeReason } from '../matching/target.ts';
import type { Diagnostic, DiagnosticCode } from './diagnostics.ts';
import type { Allowed, Because, Disallowed, GroupChoice, Match, Verdict } from './verdict.ts';

type Data = Diagnostic['data'];

const DESCRIPTIONS: Readonly<Record<DiagnosticCode, (data: Data) => string>> = {
  'file-too-large': ({ limit }) => `The file is longer than ${limit} bytes; what follows is ignored.`,
  'rule-cut': ({ left, written }) =>
    `The size limit cuts this rule: "${left}" applies, though "${written}" is written.`,
  'byte-order-mark': () => 'The file starts with a byte order mark, which is skipped.',
  'partial-byte-order-mark': ({ bytes }) =>
    `The file starts with ${bytes} of the 3 bytes of a byte order mark; they are skipped.`,
  'html-content': () =>
    'This looks like an HTML page, not a robots.txt; it is read line by line all the same.',
  'invalid-utf8': () => 'This line is not UTF-8. Each byte of it from 0x80 on is matched as its own %XX.',
  'line-too-long': ({ dropped }) => `The line is too long: its last ${dropped} bytes are ignored.`,
  'nul-byte': ({ dropped }) => `A NUL byte ends the line: ${dropped} bytes from there on are ignored.`,
  'no-record': ({ text }) => `"${text}" is not a record of the form "field: value"; the line is ignored.`,
  'empty-field': () => 'Nothing stands before the colon; the line is ignored.',
  'missing-colon': ({ field }) => `There is no colon after "${field}"; the space is read in its place.`,
  'misspelt-field': ({ field, meant }) => `"${field}" is a misspelling that is read as "${meant}".`,
  'surplus-in-field': ({ field, meant }) => `"${field}" only begins like "${meant}"; it is read as that.`,
  'unknown-field': ({ field }) =>
    `"${field}" is no part of the Robots Exclusion Protocol; it decides nothing.`,
  'rule-outside-group': () => 'This rule stands before the first user-agent line; it applies to nobody.',
  'agent-names-nobody': ({ value }) =>
    `"${value}" names no crawler: a product token has only letters, "_" and "-".`,
  'surplus-in-agent': ({ value, token }) => `Of "${value}" only "${token}" is read.`,
  'pattern-without-slash': ({ pattern }) =>
    `"${pattern}" starts with neither "/" nor "*", so it matches no URL.`,
};

/** A diagnostic as a sentence. */
export function describeDiagnostic({ code, data }: Diagnostic): string {
  return DESCRIPTIONS[code](data);
}

const OUT_OF_SCOPE: Readonly<Record<OutOfScopeReason, string>> = {
  'invalid-url': 'It is neither an absolute URL nor a path that begins with a single slash.',
  'unsupported-scheme': 'Only http, https and ftp URLs have a robots.txt.',
  'other-origin': 'The robots.txt speaks only for the scheme, host and port that it was asked for at.',
  'not-a-robots-txt-url': 'A robots.txt counts only at /robots.txt, at the root of a host.',
};

/** A verdict in plain words, a few sentences: what was decided, by which rule of which group, and against what. */
export function explainVerdict(verdict: Verdict): string {
  if (verdict.kind === 'out-of-scope') return `No answer. ${OUT_OF_SCOPE[verdict.reason]}`;
  return [
    verdict.allowed ? 'Allowed.' : 'Disallowed.',
    describeGroup(verdict.group, verdict.because),
    describeReason(verdict),
    describeLoser(verdict),
  ]
    .filter((sentence) => sentence !== '')
    .join(' ');
}

function describeGroup(group: GroupChoice, because: Because): string {
  if (because !== 'rule' && because !== 'no-rule-matched' && because !== 'no-group') return '';
  switch (group.kind) {
    case 'own':
      return `The group for ${group.tokens.join(', ')} applies.`;
    case 'fallback':
      return `No group names this crawler itself, so the one for ${group.tokens.join(', ')} applies.`;
    case 'global':
      return 'No group names this crawler, so the one for * applies.';
    case 'none':
      return 'No group applies to this crawler.';
  }
}

function describeReason({ because, rule, pattern, allowed }: Allowed | Disallowed): string {
  switch (because) {
    case 'rule': {
      if (rule === null || pattern === null) return '';
      if (pattern === '')
        return `Only the empty rule on line ${rule.line} matches, and that forbids nothing.`;
      return `${describeMatch({ rule, pattern })}, is the longest that matches${allowed ? '' : ' and forbids it'}.`;
    }
    case 'no-rule-matched':
      return 'None of its rules matches, so there is nothing against it.';
    case 'no-group':
      return 'So there is nothing against it.';
    case 'robots-txt':
      return 'RFC 9309 always allows /robots.txt itself.';
    case 'crawler-exempt':
      return 'This crawler ignores robots.txt.';
    case 'absent':
      return 'The site has no robots.txt, so there are no restrictions.';
    case 'unreachable':
      return 'The robots.txt could not be fetched, so everything is disallowed until it can.';
    case 'outage-allows':
      return 'The robots.txt has been unreachable for so long that this forbids nothing any more.';
  }
}

function describeLoser({ pattern, loser }: Allowed | Disallowed): string {
  if (!pattern || loser === null) return '';
  const why = loser.pattern.length === pattern.length ? 'is as long, and allow wins a tie' : 'is shorter';
  return `${describeMatch(loser)}, matches too, but ${why}.`;
}

function describeMatch({ rule, pattern }: Match): string {
  const written = `Line ${rule.line}, "${rule.kind === 'allow' ? 'Allow' : 'Disallow'}: ${rule.text}"`;
  return pattern === rule.value ? written : `${written}, here as "${pattern}"`;
}
