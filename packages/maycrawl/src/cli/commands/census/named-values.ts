// Options with a name and a value, `NAME=VALUE`: groups of agents, tables and breaks.
import type { AgentGroup } from '../../../census/sql/agent-groups.ts';
import { nameTable, type UserTable } from '../../../census/sql/user-tables.ts';
import { visible } from '../../../text/printable.ts';
import { CommandError } from '../../output/errors.ts';

/** Parses `NAME=AGENT,AGENT`. @throws {CommandError} for another text. */
export function parseGroups(texts: readonly string[] = []): readonly AgentGroup[] {
  return texts.map((text) => {
    const { name, value } = parseNamedValue(text, '--group', 'NAME=AGENT,AGENT');
    const agents = value
      .split(',')
      .map((each) => each.trim())
      .filter((each) => each !== '');
    return { name, agents };
  });
}

/** Parses `FILE` or `NAME=FILE`. A path with `=` needs a name. */
export function parseTables(texts: readonly string[] = []): readonly UserTable[] {
  return texts.map((text) => {
    if (!text.includes('=')) return { name: nameTable(text), path: text };
    const { name, value } = parseNamedValue(text, '--table', 'FILE or NAME=FILE');
    return { name, path: value };
  });
}

/** Divides a text at its first `=`. @throws {CommandError} if a part is missing. */
export function parseNamedValue(
  text: string,
  option: string,
  form: string,
): { readonly name: string; readonly value: string } {
  const [, name = '', value = ''] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  if (name.trim() === '' || value.trim() === '')
    throw new CommandError(`${option} must be ${form}, not ${visible(text)}`);
  return { name: name.trim(), value: value.trim() };
}
