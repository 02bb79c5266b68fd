import type { PreferenceEdit } from '../../src/preferences.ts';

interface Line {
  readonly text: string;
  readonly end: string;
}

/** Splits a byte string into lines with their line ends. */
function splitLines(content: string): Line[] {
  const parts = content.split(/(\r\n|\r|\n)/);
  return Array.from({ length: (parts.length + 1) / 2 }, (_, index) => ({
    text: parts[2 * index] as string,
    end: parts[2 * index + 1] ?? '',
  }));
}

/** Applies edits line by line, with the line end that the file uses last before the place. Texts are ASCII. */
export function applyEdits(content: string, edits: readonly PreferenceEdit[]): string {
  const mark = /^(?:\u00ef(?:\u00bb\u00bf?)?)?/.exec(content)?.[0] ?? '';
  const lines = splitLines(content.slice(mark.length));
  const first = lines.find(({ end }) => end !== '')?.end ?? '\n';
  const written: Line[] = [];
  let end = first;
  for (const [index, line] of lines.entries()) {
    if (line.end !== '') end = line.end;
    const isHere = (edit: PreferenceEdit): boolean => Math.max(edit.line, 1) === index + 1;
    const replacing = edits.filter((edit) => isHere(edit) && edit.removed !== null);
    const adding = edits.filter((edit) => isHere(edit) && edit.removed === null);
    if (replacing.length === 0) written.push(line);
    else written.push(...replacing.flatMap(({ added }) => added.map((text) => ({ text, end: line.end }))));
    for (const text of adding.flatMap(({ added }) => added)) {
      const last = written.at(-1);
      if (last?.end === '' && last.text === '') written.pop();
      else if (last?.end === '') written[written.length - 1] = { ...last, end };
      written.push({ text, end });
    }
  }
  return mark + written.map((line) => line.text + line.end).join('');
}

/** A list of agents and the declarations that belong to it, as a reader of the AIPREF draft groups them. */
export interface NaiveGroup {
  readonly agents: string[];
  readonly lines: string[];
}

/** Groups the lines of a file. @param closing - matches the lines that end a list of user-agent lines. */
export function groupLines(content: string, closing: RegExp): NaiveGroup[] {
  const groups: NaiveGroup[] = [];
  let isOpen = false;
  for (const { text } of splitLines(content)) {
    const agent = /^\s*user-agent\s*:\s*([^#]*)/i.exec(text);
    if (agent !== null) {
      if (!isOpen) groups.push({ agents: [], lines: [] });
      isOpen = true;
      groups.at(-1)?.agents.push((agent[1] as string).trim());
    } else {
      if (closing.test(text)) isOpen = false;
      if (/^\s*[a-z-]+\s*:/i.test(text)) groups.at(-1)?.lines.push(text);
    }
  }
  return groups;
}
