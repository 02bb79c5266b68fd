// Rewrites a declaration so that it states settings: values that say the opposite change in place, missing labels are added at the end.
import { isSpace } from '../../bytes/ascii.ts';
import { toByteString } from '../../bytes/byte-string.ts';
import { decodeUtf8 } from '../../bytes/platform.ts';
import { parseDictionary } from '../dictionary.ts';
import { findLabel } from '../labels.ts';
import type { PreferenceLine } from '../robots-txt/preference-lines.ts';
import { type LabelledSetting, labelSettings, type PreferenceSetting } from './setting.ts';
import type { Replacement, SourceLines } from './source-lines.ts';

interface Member {
  readonly key: string;
  readonly value: 'allowed' | 'disallowed' | 'unknown';
  /** The bytes of its value. */
  readonly start: number;
  readonly end: number;
  /** Text before a new value, such as `=`. */
  readonly prefix: string;
}

/**
 * Rewrites the line of a declaration.
 *
 * @returns the new line as a byte string; `null` if the line cannot state more, because its dictionary does not parse or the new line
 *   would be too long.
 */
export function rewriteLine(
  line: PreferenceLine,
  settings: readonly PreferenceSetting[],
  source: SourceLines,
): string | null {
  const { format, declaration, keys, record } = line;
  if (format === 'content-usage' && !declaration.isClean) return null;
  const members = format === 'content-usage' ? readUsageMembers(line) : readSignalMembers(line);
  const replacements: Replacement[] = [];
  const added: LabelledSetting[] = [];
  for (const setting of labelSettings(format, settings)) {
    const changed = members.filter(
      ({ key, value }) =>
        findLabel(format, key)?.purpose === setting.purpose &&
        value !== setting.value &&
        (value !== 'unknown' || key === setting.label),
    );
    for (const { start, end, prefix } of changed)
      replacements.push({ start, end, text: prefix + setting.token });
    if (!members.some(({ key }) => key === setting.label)) added.push(setting);
  }
  replacements.sort((a, b) => a.start - b.start);
  if (added.length > 0) {
    const written = toByteString(keys.bytes, keys.start, keys.end);
    const text = added.map(({ label, token }) => `${label}=${token}`);
    const separator = written.includes(',') && !written.includes(', ') ? ',' : ', ';
    const start = written === '' || written.endsWith(',') ? ' ' : separator;
    replacements.push({ start: keys.end, end: keys.end, text: start + text.join(separator) });
  }
  return source.replace(record.line, replacements);
}

function readUsageMembers({ keys: { bytes, start, end }, declaration }: PreferenceLine): Member[] {
  const members = parseDictionary(bytes, start, end) ?? new Map();
  return declaration.keys.map(({ key, value }): Member => {
    const member = members.get(key);
    const valueStart = member.start + key.length;
    // A token "y" or "n" is one byte after "=". Other values are replaced with their parameters.
    return value === 'unknown'
      ? { key, value, start: valueStart, end: member.end, prefix: '=' }
      : { key, value, start: valueStart + 1, end: valueStart + 2, prefix: '' };
  });
}

/** The members have the offsets of `parseDeclaration`, which splits the decoded text: a comma is the same byte in both. */
function readSignalMembers({ keys: { bytes, start, end }, declaration }: PreferenceLine): Member[] {
  const members: Member[] = [];
  const declared = declaration.keys[Symbol.iterator]();
  for (let from = start; from <= end; ) {
    let to = from;
    while (to < end && bytes[to] !== 0x2c) to++;
    let equals = from;
    while (equals < to && bytes[equals] !== 0x3d) equals++;
    if (equals < to && decodeUtf8(bytes, from, equals).trim() !== '') {
      const { key, value } = declared.next().value as Pick<Member, 'key' | 'value'>;
      let [valueStart, valueEnd] = [equals + 1, to];
      while (valueStart < valueEnd && isSpace(bytes[valueStart])) valueStart++;
      while (valueEnd > valueStart && isSpace(bytes[valueEnd - 1])) valueEnd--;
      members.push({ key, value, start: valueStart, end: valueEnd, prefix: '' });
    }
    from = to + 1;
  }
  return members;
}
