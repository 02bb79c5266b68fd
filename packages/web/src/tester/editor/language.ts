// Syntax highlighting of robots.txt: fields, patterns, and the special characters of patterns.
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** The part of a line that the tokenizer has reached. */
interface TokenizerState {
  part: 'field' | 'agent' | 'pattern' | 'value';
}

const FIELDS: readonly (readonly [RegExp, TokenizerState['part']])[] = [
  // Google's parser accepts these misspellings, too.
  [/^user[- ]?agent/i, 'agent'],
  [/^(allow|dis+al+ow|diasllow|disallaw)/i, 'pattern'],
  [/^site-?map/i, 'value'],
  [/^(content-(usage|signals?)|license)\s*$/i, 'value'],
];

const robotsTxt = StreamLanguage.define<TokenizerState>({
  name: 'robots.txt',
  startState: () => ({ part: 'field' }),
  token(stream, state) {
    if (stream.sol()) state.part = 'field';
    if (stream.eatSpace()) return null;
    if (stream.peek() === '#') {
      stream.skipToEnd();
      return 'comment';
    }
    if (state.part === 'field') {
      const start = stream.pos;
      stream.eatWhile(/[^:#]/);
      const field = stream.string.slice(start, stream.pos);
      const known = FIELDS.find(([name]) => name.test(field));
      state.part = known?.[1] ?? 'value';
      stream.eat(':');
      return known === undefined ? 'labelName' : 'keyword';
    }
    if (state.part === 'pattern') {
      if (stream.eat('*') || (stream.match(/^\$\s*(?:#|$)/, false) && stream.next())) return 'operator';
      if (stream.match(/^%[\da-f]{2}/i)) return 'escape';
      stream.next();
      stream.eatWhile(/[^*$%#\s]/);
      return 'string';
    }
    stream.eatWhile(/[^#]/);
    return state.part === 'agent' ? 'typeName' : 'url';
  },
});

/** Custom properties of the page apply in the shadow root of the editor. */
const style = HighlightStyle.define([
  { tag: tags.comment, color: 'var(--text-muted)', fontStyle: 'italic' },
  { tag: tags.keyword, color: 'var(--field)', fontWeight: '600' },
  { tag: tags.labelName, color: 'var(--text-muted)' },
  { tag: tags.typeName, color: 'var(--agent)' },
  { tag: tags.string, color: 'var(--text)' },
  { tag: tags.operator, color: 'var(--wildcard)', fontWeight: '700' },
  { tag: tags.escape, color: 'var(--wildcard)' },
  { tag: tags.url, color: 'var(--agent)' },
  { tag: tags.punctuation, color: 'var(--text-muted)' },
]);

export const language: Extension = [robotsTxt, syntaxHighlighting(style)];
