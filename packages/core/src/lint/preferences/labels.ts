// Findings about the labels and values of declarations.
import { formatList } from '../../bytes/lists.ts';
import { truncate } from '../../bytes/truncate.ts';
import { type DeclarationFormat, PREFERENCE_SYNTAX } from '../../preferences/declaration.ts';
import { AIPREF_DIALECTS, findLabel, LABELS, type Label } from '../../preferences/labels.ts';
import type { PreferenceLine } from '../../preferences/robots-txt/preference-lines.ts';
import { createFinding, type Finding } from '../finding.ts';

const MAX_NAMED = 3;
/** Longer labels are cut in messages. */
const MAX_LABEL_LENGTH = 40;

/** Values of `use`, which states a level instead (https://blog.cloudflare.com, 2026-07-01). */
const USE_LEVELS = ['immediate', 'reference', 'full'];

/** Reports labels that the format does not define now, and values that it does not define. One finding for each kind. */
export function lintLabels({ record, format, declaration }: PreferenceLine): Finding[] {
  const { field } = record;
  const findings: Finding[] = [];
  const written = readValues(record.text);
  const find = (key: string): Label | undefined => findLabel(format, key);
  const unknown = declaration.keys.filter(({ key }) => find(key) === undefined).map(({ key }) => key);
  if (unknown.length > 0) {
    const data = { field, labels: formatNames(unknown), instead: suggestLabels(format, unknown) };
    findings.push(createFinding('unknown-preference-label', record, data));
  }
  const old = declaration.keys.flatMap(({ key }) => find(key) ?? []).filter(({ isCurrent }) => !isCurrent);
  if (old.length > 0) {
    const instead = suggestLabels(
      format,
      old.map(({ label }) => label),
    );
    const data = {
      labels: formatNames(
        old.map(({ label }) => label),
        old.map(describeDraft),
      ),
      instead,
    };
    findings.push(createFinding('old-preference-label', record, data));
  }
  const wrong = declaration.keys.filter(
    ({ key, value }) =>
      value === 'unknown' &&
      find(key) !== undefined &&
      !(format === 'content-signal' && key === 'use' && USE_LEVELS.includes(written.get(key) ?? '')),
  );
  const [wrongKey] = wrong;
  if (wrongKey !== undefined) {
    const members = wrong.map(({ key }) => (written.has(key) ? `${key}=${written.get(key)}` : key));
    const data = {
      field,
      members: formatNames(members),
      instead: suggestValue(format, wrongKey.key, written),
    };
    findings.push(createFinding('unknown-preference-value', record, data));
  }
  return findings;
}

/** Reads the values as written, in lower case. They are only for messages: commas in strings separate members, too. */
function readValues(text: string): ReadonlyMap<string, string> {
  const members = text.replace(/^\/\S*/, '').split(',');
  return new Map(
    members.flatMap((member) => {
      const equals = member.indexOf('=');
      const value = member.slice(equals + 1).split(';', 1)[0] as string;
      return equals < 0
        ? []
        : [[member.slice(0, equals).trim().toLowerCase(), value.trim().toLowerCase()] as const];
    }),
  );
}

function suggestValue(format: DeclarationFormat, key: string, written: ReadonlyMap<string, string>): string {
  if (format === 'content-signal' && key === 'use') return 'use=immediate, use=reference or use=full';
  const { allowed: yes, disallowed: no } = PREFERENCE_SYNTAX[format];
  const value = written.get(key) ?? '';
  if (YES.has(value)) return `${key}=${yes}`;
  return NO.has(value) ? `${key}=${no}` : `${key}=${yes} or ${key}=${no}`;
}

/** What owners write for a preference, in lower case. */
const YES: ReadonlySet<string> = new Set(['y', 'yes', 'true', 'allow', 'allowed', '1', '?1', '"y"', '"yes"']);
const NO: ReadonlySet<string> = new Set(['n', 'no', 'false', 'disallow', 'none', '0', '?0', '"n"', '"no"']);

/** Suggests the current labels of the format for the purposes of labels of any format. */
function suggestLabels(format: DeclarationFormat, labels: readonly string[]): string {
  const purposes = new Set(
    LABELS.filter(({ label }) => labels.includes(label)).flatMap(({ purpose, includes }) => [
      purpose,
      ...(purpose === 'all' || purpose === 'genai-train' || purpose === 'tdm' ? Object.keys(includes) : []),
    ]),
  );
  const current = LABELS.filter((label) => label.format === format && label.isCurrent);
  const suggested = current.filter(({ purpose }) => purposes.has(purpose));
  const names = (suggested.length > 0 ? suggested : current).map(({ label }) => label);
  const list = formatList(names);
  return suggested.length > 0 ? `Write ${list}` : `Its labels are ${list}`;
}

function describeDraft({ dialect }: Label): string {
  const draft = AIPREF_DIALECTS.find(({ name }) => name === dialect);
  return draft === undefined
    ? 'an earlier version'
    : `draft-ietf-${draft.name.replace('-', '-vocab-')} of ${draft.date}`;
}

/** Formats the first names: `"a", "b", "c" and 3 more`. @param notes - texts in parentheses after the names. */
function formatNames(names: readonly string[], notes: readonly string[] = []): string {
  const shown = names.slice(0, MAX_NAMED).map((name, index) => {
    const text = truncate(name, MAX_LABEL_LENGTH);
    return notes[index] === undefined ? `"${text}"` : `"${text}" (${notes[index]})`;
  });
  return [shown.join(', '), ...(names.length > MAX_NAMED ? [`${names.length - MAX_NAMED} more`] : [])].join(
    ' and ',
  );
}
