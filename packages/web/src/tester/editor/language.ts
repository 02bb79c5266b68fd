/**
 * Highlighting of a robots.txt: what is a field, what a pattern, and which characters of a pattern are special.
 *
 * @module
 */
import { HighlightStyle, StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import type { Extension } from '@codemirror/state';
import { tags } from '@lezer/highlight';

/** Where on its line the tokenizer is. */
interface Place {
  part: 'field' | 'agent' | 'pattern' | 'value';
}

const FIELDS: readonly (readonly [RegExp, Place['part']])[] = [
  // As lenient as Google's matcher, which takes these misspellings too.
  [/^user[- ]?agent/i, 'agent'],
  [/^(allow|dis+al+ow|diasllow|disallaw)/i, 'pattern'],
  [/^site-?map/i, 'value'],
];

const robotsTxt = StreamLanguage.define<Place>({
  name: 'robots.txt',
  startState: () => ({ part: 'field' }),
  token(stream, place) {
    if (stream.sol()) place.part = 'field';
    if (stream.eatSpace()) return null;
    if (stream.peek() === '#') {
      stream.skipToEnd();
      return 'comment';
    }
    if (place.part === 'field') {
      const start = stream.pos;
      stream.eatWhile(/[^:#]/);
      const field = stream.string.slice(start, stream.pos);
      const known = FIELDS.find(([name]) => name.test(field));
      place.part = known?.[1] ?? 'value';
      stream.eat(':');
      return known === undefined ? 'labelName' : 'keyword';
    }
    if (place.part === 'pattern') {
      if (stream.eat('*') || (stream.match(/^\$\s*(?:#|$)/, false) && stream.next())) return 'operator';
      if (stream.match(/^%[\da-f]{2}/i)) return 'escape';
      stream.next();
      stream.eatWhile(/[^*$%#\s]/);
      return 'string';
    }
    stream.eatWhile(/[^#]/);
    return place.part === 'agent' ? 'typeName' : 'url';
  },
});

/** The colours are the page's: custom properties reach into the editor's shadow root. */
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

/** The language with its colours. */
export const language: Extension = [robotsTxt, syntaxHighlighting(style)];
