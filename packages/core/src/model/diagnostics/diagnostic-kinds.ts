// The kinds of diagnostics: one record for each code, with its severity and its prose, for terminal, pages and reports. `docs/rules` has a
// page for each code. Messages quote the file without escaping: escape them for the output format.

/**
 * `error`: content is ignored or has no effect. `warning`: the content only works because parsers are lenient. `info`: no action is
 * needed.
 */
export type Severity = 'error' | 'warning' | 'info';

/** Arguments of a message, such as the field name or the limit in bytes. */
export type MessageData = Readonly<Record<string, string | number>>;

/** What all findings with one code have in common. */
export interface FindingKind {
  readonly severity: Severity;
  /** Describes a finding in one or two English sentences. */
  readonly describe: (data: MessageData) => string;
}

export const error = (describe: FindingKind['describe']): FindingKind => ({ severity: 'error', describe });
export const warning = (describe: FindingKind['describe']): FindingKind => ({
  severity: 'warning',
  describe,
});
export const info = (describe: FindingKind['describe']): FindingKind => ({ severity: 'info', describe });

/** Code of a diagnostic. `docs/rules` describes each code. */
export type DiagnosticCode =
  | 'file-too-large'
  | 'rule-truncated'
  | 'byte-order-mark'
  | 'partial-byte-order-mark'
  | 'html-content'
  | 'invalid-utf8'
  | 'line-too-long'
  | 'nul-byte'
  | 'invalid-line'
  | 'empty-field-name'
  | 'missing-colon'
  | 'misspelled-field-name'
  | 'field-name-suffix'
  | 'unrecognized-field-name'
  | 'unknown-field'
  | 'merge-conflict-marker'
  | 'rule-before-group'
  | 'invalid-product-token'
  | 'text-after-product-token'
  | 'extended-token'
  | 'pattern-without-slash'
  | 'url-as-pattern';

export const DIAGNOSTIC_KINDS: Readonly<Record<DiagnosticCode, FindingKind>> = {
  'file-too-large': error(({ limit }) => `The file is longer than ${limit} bytes. The rest is ignored.`),
  'rule-truncated': error(
    ({ truncated, written }) => `The size limit truncates the rule "${written}" to "${truncated}".`,
  ),
  'byte-order-mark': info(() => 'The file starts with a byte order mark, which is skipped.'),
  'partial-byte-order-mark': warning(
    ({ bytes }) => `The file starts with ${bytes} of the 3 bytes of a byte order mark, which are skipped.`,
  ),
  'html-content': error(({ rules }) =>
    rules === 0
      ? 'The file is an HTML page, not a robots.txt. It has no rules, so crawlers may fetch every URL. Serve a robots.txt, or status 404 if the site has no robots.txt.'
      : `The file begins like an HTML page, not a robots.txt. Crawlers ignore its markup, but its rules (${rules}) apply.`,
  ),
  'invalid-utf8': warning(() => 'The line is not valid UTF-8. Each byte from 0x80 on is matched as %XX.'),
  'line-too-long': error(
    ({ ignoredBytes }) => `The line is too long. Google ignores its last ${ignoredBytes} bytes.`,
  ),
  'nul-byte': error(
    ({ ignoredBytes }) =>
      `Google ignores the ${ignoredBytes} bytes from the NUL byte to the end of the line.`,
  ),
  'invalid-line': error(
    ({ text }) => `"${text}" does not have the form "field: value". The line is ignored.`,
  ),
  'empty-field-name': error(() => 'There is no field name before the colon. The line is ignored.'),
  'missing-colon': warning(
    ({ field }) =>
      `There is no colon after "${field}". Google accepts the white space instead; other crawlers may ignore the line.`,
  ),
  'misspelled-field-name': warning(
    ({ field, accepted }) =>
      `"${field}" is a misspelling that Google reads as "${accepted}"; other crawlers may ignore the line.`,
  ),
  'field-name-suffix': warning(({ field, accepted }) =>
    isAiField(String(field))
      ? `Google reads "${field}" as "${accepted}", which it starts with: for Google the line is about crawling, not only about AI. No large operator is known to support "${field}".`
      : `Google reads "${field}" as "${accepted}", which it starts with; other crawlers may ignore the line.`,
  ),
  'unrecognized-field-name': error(
    ({ field, suggestion }) =>
      `"${field}" is not a field name, so crawlers ignore the line. Did you mean "${suggestion}"?`,
  ),
  'unknown-field': info(
    ({ field }) => `"${field}" is not part of the Robots Exclusion Protocol, and does not affect decisions.`,
  ),
  'merge-conflict-marker': error(
    ({ lines }) =>
      `The file contains merge conflict markers (${lines}). Crawlers ignore the markers and read both versions of the lines between them. Keep one version, and remove the markers.`,
  ),
  'rule-before-group': error(
    () => 'The rule precedes the first user-agent line, so it applies to no crawler.',
  ),
  'invalid-product-token': error(
    ({ value }) => `"${value}" names no crawler: a product token contains only letters, "_" and "-".`,
  ),
  'text-after-product-token': warning(
    ({ value, token }) =>
      `Google reads only "${token}" of "${value}"; other crawlers may compare the whole value.`,
  ),
  'extended-token': info(
    ({ value, token }) =>
      `Google reads ${token === '' ? 'no name' : `only "${token}"`} here: product tokens contain only letters, "_" and "-". A crawler that is named "${value}" is expected to compare the whole name.`,
  ),
  'pattern-without-slash': error(
    ({ pattern }) => `"${pattern}" starts with neither "/" nor "*", so it matches no URL.`,
  ),
  'url-as-pattern': error(
    ({ pattern, path }) =>
      `"${pattern}" is a full URL, so it matches nothing: a pattern is a path of this site. Write "${path}".`,
  ),
};

/** Whether a field that begins with `Allow` or `Disallow` is about AI, such as `DisallowAITraining` (draft-canel-robots-ai-control-00). */
export function isAiField(field: string): boolean {
  return /^(?:dis)?allow[-_]?(?:ai|genai|llm|train)/i.test(field);
}
