// The changed declarations about the use of content, as text.
import type { DeclarationComparison, DeclaredPreference } from '@maycrawl/core/preferences';
import {
  describeChanges,
  formatReaders,
  getDirection,
  getValueName,
} from '../../../preferences/describe-changes.ts';
import { describeStatement } from '../../../preferences/describe-statement.ts';
import { getPurposeName } from '../../../preferences/purposes.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { toSentence } from '../../../text/sentence.ts';
import { printLine } from '../../output/standard-output.ts';
import { getColors } from '../../output/terminal.ts';

/** Maximum number of changes in the table, and of lines that are worded differently. */
const MAX_CHANGES = 100;
const MAX_LINES = 5;

/** Prints the changes: the conclusions first, then each change with an example. Prints nothing if no declaration differs. */
export async function printDeclarations(declarations: DeclarationComparison): Promise<void> {
  const { equivalent, changes, undecided, wording } = declarations;
  const { bold, red, green } = getColors(process.stdout);
  const sentences = describeChanges(declarations);
  const isReworded = wording.removed.length + wording.added.length > 0;
  if (sentences.length === 0 && undecided.length === 0 && equivalent !== null && !isReworded) return;
  printLine(`\n${bold('Preferences about the use of content')}`);
  for (const sentence of sentences) printLine(visible(toSentence(sentence)));
  if (equivalent === null || undecided.length > 0)
    printLine('Undecided whether there are other changes; the search exceeds its budget (see --max-states).');
  if (sentences.length === 0 && equivalent === true) {
    printLine('Written differently, with the same effect for every crawler and URL:');
    for (const [sign, lines] of [
      ['-', wording.removed],
      ['+', wording.added],
    ] as const) {
      for (const { line, text } of lines.slice(0, MAX_LINES))
        printLine(`  ${sign} line ${line}: ${visible(text)}`);
      if (lines.length > MAX_LINES)
        printLine(`  ${sign} ${formatCount(lines.length - MAX_LINES, 'more line')}`);
    }
  }
  if (changes.length === 0) return;
  const { printTable } = await import('../../output/table.ts');
  const rows = changes.slice(0, MAX_CHANGES).map((change) => {
    const { purpose, crawlers, example, before, after } = change;
    const value = describeValue(after);
    return [
      getPurposeName(purpose),
      visible(formatReaders(crawlers.map(({ name }) => name))),
      visible(example),
      describeValue(before),
      getDirection(change) === 'disallowed' ? red(value) : green(value),
    ];
  });
  printTable(['use', 'crawlers', 'for example', 'before', 'after'], rows);
  if (changes.length > MAX_CHANGES) printLine(`(and ${changes.length - MAX_CHANGES} more)`);
}

function describeValue({ value, statement }: DeclaredPreference): string {
  const name = getValueName(value);
  return statement === null ? name : `${name}, ${visible(describeStatement(statement))}`;
}
