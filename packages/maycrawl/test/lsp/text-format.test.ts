import fc from 'fast-check';
import { marked } from 'marked';
import { expect, test } from 'vitest';
import { selectFormat } from '../../src/lsp/texts/text-format.ts';
import { visible } from '../../src/text/printable.ts';

const markdown = selectFormat(['markdown', 'plaintext']);

/** What a reader of Markdown sees, or an error if anything is displayed but text. */
function readText(source: string, element: 'p' | 'code'): string {
  const html = marked.parse(source, { async: false, gfm: true }).trim();
  const [, content] =
    (element === 'p'
      ? /^<p>([^<]*)<\/p>$/.exec(html)
      : /^<p>(?:x)<code>([^<]*)<\/code>(?:x)<\/p>$/.exec(html)) ?? [];
  if (content === undefined) throw new Error(`not only text: ${html}`);
  return content
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&');
}

const HOSTILE = [
  '<img src=x onerror=alert(1)>',
  '[x](command:a)',
  '![x](https://evil.example/p)',
  'https://evil.example/',
  'www.evil.example',
  'a@evil.example',
  'ftp://evil.example',
  '`a` ``b``',
  '**a** _b_ ~~c~~',
  '# h',
  '- a',
  '1. a',
  '> q',
  '| a | b |\n|---|---|',
  '&lt;b&gt; &#60;',
  '\\[x\\](y)',
  '<!-- c -->',
  '\n\n---\n\n',
  '$(icon) $x',
  '[a]: https://evil.example',
  '\u202e\x1b[31m',
  '\ud800',
];
const pieces = fc.constantFrom(
  ...[...HOSTILE, ...'`*_[]()<>#&~|!@$^{}\\:/.-+=1 \n\t'.split(''), 'www', 'http', 'a', '``'],
);
const texts = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''));

test('text from files is only text in Markdown, whatever it contains', () => {
  const check = (text: string): void => {
    // A paragraph of Markdown has no white space at its ends, and a run of spaces is one in a browser.
    const shown = visible(text).trim();
    fc.pre(shown !== '' && shown.length < 200);
    expect(readText(markdown.text(text), 'p').trim()).toBe(shown);
  };
  for (const text of HOSTILE.filter((each) => visible(each).trim() !== '')) check(text);
  fc.assert(fc.property(texts, check));
});

test('text in a code span is only text', () => {
  const check = (text: string): void => {
    fc.pre(text.length < 100 && text !== '');
    expect(readText(`x${markdown.code(text)}x`, 'code')).toBe(visible(text));
  };
  for (const text of HOSTILE) check(text);
  fc.assert(fc.property(texts, check));
});

test('long text from files is truncated', () => {
  expect(markdown.text('a'.repeat(100_000)).length).toBeLessThan(1000);
  expect(markdown.code('`'.repeat(100_000)).length).toBeLessThan(1000);
});
