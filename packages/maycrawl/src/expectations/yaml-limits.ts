// Limits on YAML before it is composed. The `yaml` package composes by recursion, which ends the process where the stack ends in the
// middle of a regular expression, and resolves each alias by a search of the whole document. Its lexer works in one pass.
import { Lexer } from 'yaml';

/** Expectations are a list of mappings of lists: no document of them needs more levels. */
const MAX_DEPTH = 20;
/** Steps of all searches for anchors: tokens times aliases. */
const MAX_ALIAS_STEPS = 5_000_000;

/** What a text has too much of, as a noun phrase; `undefined` if it is within the limits. */
export function findExcess(text: string): string | undefined {
  /** Columns at which the open block collections began, at most. */
  const columns: number[] = [];
  let [flowDepth, tokens, aliases, column] = [0, 0, 0, 0];
  /** Whether a token here begins a collection: at the start of a line, and after an indicator. */
  let isStart = true;
  for (const token of new Lexer().lex(text)) {
    tokens++;
    const first = token[0];
    if (first === '*') aliases++;
    if (first === '[' || first === '{') flowDepth++;
    else if (first === ']' || first === '}') flowDepth = Math.max(0, flowDepth - 1);
    else if (flowDepth === 0 && isStart && !isSpace(token)) {
      while ((columns.at(-1) ?? -1) >= column) columns.pop();
      columns.push(column);
    }
    if (flowDepth + columns.length > MAX_DEPTH) return `more than ${MAX_DEPTH} levels`;
    const lineEnd = token.lastIndexOf('\n');
    column = lineEnd < 0 ? column + token.length : token.length - lineEnd - 1;
    isStart = lineEnd >= 0 || token === '-' || token === '?' || token === ':' || (isStart && isSpace(token));
  }
  return tokens * aliases > MAX_ALIAS_STEPS ? `too many aliases: ${aliases}` : undefined;
}

function isSpace(token: string): boolean {
  return /^[ \t\r\n]/.test(token);
}
