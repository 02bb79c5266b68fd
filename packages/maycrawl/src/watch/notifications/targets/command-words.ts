// The words of a command, as a shell would split them, without being one.
//
// ```
// command = word { blanks word }
// word    = { bare | "'" { any but ' } "'" | '"' { any but " \ $ ` | "\" any } '"' | "\" any }
// bare    = any but blanks, quotes, "\" and the special characters of a shell: | & ; < > ( ) $ ` * ? [ { ~ #
// ```
//
// Within double quotes a backslash escapes only `"`, `\`, `$` and a backtick, as in a shell. Features of a shell are errors, not literal
// text.
import { TargetError } from './target-error.ts';

const PIECE = /'([^']*)'|"((?:[^"\\$`]|\\.)*)"|\\(.)|[^\s'"\\|&;<>()$`*?[{~#]+/sy;
const BLANKS = /\s+/y;

/** Splits a command into words. @throws {TargetError} if there is no word, a quote is not closed, or a shell would be needed. */
export function splitCommand(command: string): readonly [program: string, ...args: string[]] {
  const text = command.trim();
  const words: string[] = [];
  for (let at = 0; at < text.length; ) {
    let word = '';
    for (let piece = matchAt(PIECE, text, at); piece !== null; piece = matchAt(PIECE, text, at)) {
      const [whole, single, double, escaped] = piece;
      word += single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? whole;
      at += whole.length;
    }
    words.push(word);
    const blanks = matchAt(BLANKS, text, at);
    if (blanks === null && at < text.length) throw refuse(text.charAt(at));
    at += blanks?.[0].length ?? 0;
  }
  const [program, ...args] = words;
  if (program === undefined || program === '' || text.includes('\0'))
    throw new TargetError('invalid-command', 'exec: names no program: write exec:PROGRAM ARGUMENTS');
  return [program, ...args];
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}

function refuse(char: string): TargetError {
  const isQuote = char === "'" || char === '"';
  const what = isQuote ? `has a ${char} that is not closed, or a $ or backtick before that` : `has a ${char}`;
  return new TargetError(
    'invalid-command',
    `the command of exec: ${what}, and there is no shell: use single quotes, or write exec:/bin/sh -c '…'`,
  );
}
