/** The texts of links, compared with the tree of parse5. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { getFuzzRuns } from '../../../../scripts/fuzz-runs.ts';
import { readHtml } from '../../src/html/html-reader.ts';
import { readTree } from './oracle.ts';

const FUZZ_RUNS = getFuzzRuns(2000);
const PARAMETERS = { numRuns: FUZZ_RUNS };

const getTexts = (html: string): (string | null | undefined)[] =>
  readHtml(html, Infinity).references.map(({ text }) => text);
const getExpected = (html: string): (string | null | undefined)[] =>
  readTree(html).references.map(({ text }) => text);

const LONG = 'x'.repeat(199);

test.each([
  ['white space', '<a href=/>\n  Read \t the\n guide </a>', ['Read the guide']],
  ['a no-break space is text', '<a href=/>Part&nbsp;VI</a>', ['Part\xa0VI']],
  ['character references', '<a href=/>R&amp;D &lt;x&gt; &#8364;&copy 5</a>', ['R&D <x> €© 5']],
  ['a reference that a tag cuts', '<a href=/>&am<b>p;</b></a>', ['&amp;']],
  ['an image', '<a href=/><img src=x alt="Our &quot;shop&quot;">now</a>', ['Our "shop" now']],
  ['an image without alt', '<a href=/><img src=x></a>', ['']],
  ['two images', '<a href=/><img alt=a><img alt=b></a>', ['a b']],
  ['a noscript', '<a href=/>a<noscript><img alt=b></noscript>c</a>', ['ac']],
  ['a template', '<a href=/>a<template>b<a href=/x>y</a></template>c</a>', ['ac']],
  ['a drawing', '<a href=/><svg><style>b{}</style><title>Menu</title><path d=""/></svg></a>', ['Menu']],
  ['a link in a link', '<a href=/>a<a href=/2>b</a>c', ['a', 'b']],
  ['a cell that ends in the link', '<table><tr><td><a href=/>a</td><td>b</table>', ['a']],
  ['a link that does not end', '<a href=/>a <b>c', ['a c']],
  ['an area', '<map><area href=/ alt=" The \n shop "><area href=/2></map>', ['The shop', null]],
  ['a frame', '<iframe src=/>x</iframe>', [null]],
  ['a text of the greatest length', `<a href=/>${LONG}y</a>`, [`${LONG}y`]],
  ['a text that is too long', `<a href=/>${LONG}yz</a>`, [`${LONG}y`]],
  ['a cut before a pair', `<a href=/>${LONG}😀z</a>`, [LONG]],
  ['a cut after white space', `<a href=/>${LONG} z</a>`, [LONG]],
  ['much white space', `<a href=/>a${' '.repeat(9_000)}<b>b</b>${' '.repeat(9_000)}c</a>`, ['a b c']],
])('%s', (_, html, expected) => {
  expect(getTexts(html)).toEqual(expected);
  expect(getExpected(html)).toEqual(expected);
});

test('markup of any depth in a link ends', () => {
  const html = `<a href=/>${'<b>x'.repeat(200_000)}${'</i>'.repeat(200_000)}`;
  expect(getTexts(html)[0]).toMatch(/^x+$/);
});

const text = fc.oneof(
  fc.constantFrom('x', ' ', '\n', 'Read more', '&amp;', '&nbsp;', '&', '&copy', '&#x41;', '<!-- c -->', '😀'),
  fc.string({ unit: fc.constantFrom('a', 'é', ' ', '€'), maxLength: 90 }),
);
const hidden = fc.constantFrom(
  ...['<script>var a = "<b>";</script>', '<style>a{}</style>', '<noscript>no</noscript>'],
  ...['<template>t<b>u</b></template>', '<img src=i alt="An &amp; image">', '<img src=i>', '<br>'],
  ...['<svg viewBox="0"><title>Icon</title><path d="M0"/><g><text>t</text></g></svg>', '<wbr>'],
);
const { inline } = fc.letrec<{ inline: string }>((tie) => ({
  inline: fc
    .array(
      fc.oneof(
        { weight: 4, arbitrary: text },
        { weight: 1, arbitrary: hidden },
        {
          weight: 2,
          arbitrary: fc
            .tuple(fc.constantFrom('b', 'span', 'em', 'SPAN', 'small'), tie('inline'))
            .map(([name, content]) => `<${name} class="x">${content}</${name}>`),
        },
      ),
      { maxLength: 4 },
    )
    .map((parts) => parts.join('')),
}));
const link = inline.map((content) => `<a class=l href=/1>${content}</a>`);
const block = fc
  .tuple(fc.constantFrom('p', 'div', 'li', 'h2', 'td'), fc.array(fc.oneof(link, inline), { maxLength: 4 }))
  .map(([name, parts]) =>
    name === 'td'
      ? `<table><tbody><tr><td>${parts.join('')}</td></tr></tbody></table>`
      : `<${name}>${parts.join('')}</${name}>`,
  );

test('links in valid HTML have the text of the tree', () => {
  let withText = 0;
  fc.assert(
    fc.property(fc.array(block, { maxLength: 4 }), (blocks) => {
      const html = `<!doctype html><title>t</title><body>${blocks.join('')}`;
      const texts = getTexts(html);
      expect(texts).toEqual(getExpected(html));
      withText += texts.filter((each) => each !== '').length;
    }),
    PARAMETERS,
  );
  expect(withText).toBeGreaterThan(FUZZ_RUNS / 2);
});
