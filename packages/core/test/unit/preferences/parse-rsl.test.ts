/** RSL documents that are not well-formed: what was read counts, and what was not is a problem. */
import { describe, expect, test } from 'vitest';
import { findPageProblems, parseRsl, type RslContent, readPreferences } from '../../../src/preferences.ts';

const REFUSAL = '<prohibits type="usage">ai-train</prohibits>';
const CONTENT = `<content url="/"><license>${REFUSAL}</license></content>`;

/** The refusal is the only statement of each document. */
const MALFORMED: [title: string, document: string, ...reasons: string[]][] = [
  [
    'an element without its end',
    `<rsl><content url="/"><license><prohibits type="usage">ai-train</license></content></rsl>`,
    'line 1: the element prohibits has no end tag',
  ],
  [
    'a licence without its end',
    `<rsl><content url="/"><license>${REFUSAL}</content></rsl>`,
    'line 1: the element license has no end tag',
  ],
  [
    'a licence without its end before another',
    `<rsl><content url="/"><license>${REFUSAL}<license></license></content></rsl>`,
    'line 1: the element license has no end tag',
  ],
  [
    'a content element without its end',
    `<rsl>\n<content url="/"><license>${REFUSAL}</license>\n<content url="/x"></content></rsl>`,
    'line 3: the element content has no end tag',
  ],
  [
    'a licence after a content element in its own',
    `<rsl><content url="/"><content url="/x"/><license>${REFUSAL}</license></content></rsl>`,
  ],
  [
    'all that is open at the end',
    `<rsl><content url="/"><license><prohibits type="usage">ai-train`,
    'line 1: the element prohibits has no end tag',
    'line 1: the element license has no end tag',
    'line 1: the element content has no end tag',
    'line 1: the element rsl has no end tag',
  ],
  ['a document type', `<!DOCTYPE rsl>\n<rsl>${CONTENT}</rsl>`],
  [
    'a document type with a subset',
    `<!DOCTYPE rsl SYSTEM "a>b" [<!-- ]> it's --><!ENTITY a "]>"><?x ]>?>]>\n<rsl>${CONTENT}</rsl>`,
  ],
  [
    'a document type without its end',
    `<!DOCTYPE rsl <rsl>${CONTENT}</rsl>`,
    'line 1: "<!" is not valid in XML',
  ],
  [
    'a tag without its end',
    `<rsl><content url="/"><license ${REFUSAL}</license></content></rsl>`,
    'line 1: "<license " is not valid in XML',
  ],
  [
    'an end tag without its end',
    `<rsl><title></title ${CONTENT}</rsl>`,
    'line 1: "</title " is not valid in XML',
  ],
  [
    'an end tag of no element',
    `<rsl><content url="/"></license><license>${REFUSAL}</license></content></rsl>`,
    'line 1: </license> ends no element',
  ],
  ['a sign that begins no tag', `<rsl>1 < 2${CONTENT}</rsl>`, 'line 1: "< 2<conte" is not valid in XML'],
  [
    'an entity that is declared',
    `<!DOCTYPE rsl [<!ENTITY x "search">]><rsl><content url="/"><license><prohibits type="usage">&x; ai-train</prohibits></license></content></rsl>`,
    'line 1: the reference &x; is not resolved',
    'line 1: prohibits: "&x;" is not a usage',
  ],
  [
    'an attribute without quotes beside a URL',
    `<rsl><content server=x url="/"><license>${REFUSAL}</license></content></rsl>`,
    'line 1: "server=" is not valid in XML',
    'line 1: "x " is not valid in XML',
  ],
  [
    'a comment without its end, after it',
    `<rsl>${CONTENT}<!-- <content url="/x"></content></rsl>`,
    'line 1: the document ends in "<!--"',
    'line 1: the element rsl has no end tag',
  ],
  [
    'elements that are nested too deeply, after it',
    `<rsl>${CONTENT}${'<a>'.repeat(100)}`,
    'line 1: more than 100 elements in one another: the document is read up to here',
  ],
  [
    'a usage element in another',
    `<rsl><content url="/"><license><permits type="usage">search${REFUSAL}</permits></license></content></rsl>`.replace(
      '<permits type="usage">search',
      '<permits type="geo">EU',
    ),
  ],
  [
    'a byte order mark, prefixes and a declaration',
    `\ufeff<?xml version="1.0"?><r:rsl>${CONTENT.replaceAll(/<(\/?)/g, '<$1r:')}</r:rsl>`,
  ],
];

describe('a refusal is read in a document with', () => {
  test.each(MALFORMED)('%s', (_title, document, ...reasons) => {
    const report = readPreferences({ rsl: [{ url: null, text: document }] }, 'GPTBot', 'https://a.example/');
    expect(report.purposes['ai-train']).toMatchObject({ value: 'disallowed', format: 'rsl' });
    expect(report.problems.map(({ line, reason }) => `line ${line}: ${reason}`)).toEqual(reasons);
    const page = readPreferences({ inlineRsl: [document] }, 'GPTBot', 'https://a.example/');
    expect(page.purposes['ai-train']?.value).toBe('disallowed');
    expect(page.problems).toEqual(
      report.problems.map((each) => ({ ...each, source: 'html', name: 'script' })),
    );
    expect(findPageProblems({ inlineRsl: [document] }).map(({ reason }) => reason)).toEqual(reasons);
  });
});

describe('what was not read is a problem:', () => {
  const license = (usage: string): string =>
    `<rsl><content url="/"><license>${usage}</license></content></rsl>`;
  test.each([
    [
      'a refusal of an unknown use',
      license('<prohibits type="usage">ai-training</prohibits>'),
      'prohibits: "ai-training" is not a usage',
    ],
    ['a refusal without a type', license('<prohibits>ai-train</prohibits>'), 'prohibits without a type'],
    [
      'a type without quotes',
      license('<prohibits type=usage>ai-train</prohibits>'),
      '"type=" is not valid in XML',
    ],
    [
      'a refusal outside of a licence',
      `<rsl>${REFUSAL}</rsl>`,
      'prohibits outside of a license in a content element',
    ],
    [
      'a licence outside of a content element',
      `<rsl><license>${REFUSAL}</license></rsl>`,
      'a license outside of a content element',
    ],
    [
      'content elements beyond the limit',
      `<rsl>${'<content/>'.repeat(5_001)}</rsl>`,
      'more than 5000 content elements: the others are not read',
    ],
    [
      'licences beyond the limit',
      `<rsl><content>${'<license/>'.repeat(101)}</content></rsl>`,
      'more than 100 licenses of one content element: the others are not read',
    ],
    [
      'usages beyond the limit',
      license(`<prohibits type="usage">${'all '.repeat(1_002)}</prohibits>`),
      'more than 1000 usages: the others are not read',
    ],
    ['an open tag at the end', '<rsl><content url="/', 'the document ends in "<content url="/"'],
  ])('%s', (_title, document, reason) => {
    expect(parseRsl(document)?.problems[0]).toEqual({ line: 1, reason });
  });

  test('a document that is not RSL', () => {
    const { problems } = readPreferences(
      { rsl: [{ url: 'https://a.example/l', text: '<urlset/>' }] },
      'a',
      'https://a.example/',
    );
    const reason = 'it has no element "rsl", so it declares nothing';
    expect(problems).toEqual([{ source: 'rsl', name: 'https://a.example/l', line: null, reason }]);
  });

  test('a tdmrep.json that is not an array', () => {
    const { problems } = readPreferences({ tdmrep: '{}' }, 'a', 'https://a.example/');
    expect(problems).toMatchObject([
      { source: 'tdmrep.json', reason: 'it is not a JSON array, so it declares nothing' },
    ]);
  });

  test('RSL documents of a page beyond the limit', () => {
    const { problems } = readPreferences({ inlineRsl: Array(21).fill('<rsl/>') }, 'a', 'https://a.example/');
    expect(problems.map(({ reason }) => reason)).toEqual([
      'more than 20 RSL documents: the others are not read',
    ]);
  });
});

test('a permission whose end is missing does not count, since its text may be cut', () => {
  const document = '<rsl><content url="/"><license><permits type="usage">ai-all';
  const { purposes, problems } = readPreferences({ inlineRsl: [document] }, 'a', 'https://a.example/');
  expect(purposes['ai-train']?.value).toBe('unknown');
  expect(problems).not.toEqual([]);
});

test('a document has ten problems at most', () => {
  expect(parseRsl(`<rsl>${'</a>'.repeat(10_000)}</rsl>`)?.problems).toHaveLength(10);
});

test('licences belong to the content element around them, and attributes with a prefix are others', () => {
  const parse = (text: string): readonly RslContent[] | undefined => parseRsl(`<rsl>${text}</rsl>`)?.contents;
  const contents = parse(
    `<content url="/a"><content url="/b" x:url="/c">${'<license/>'.repeat(2)}</content><license/></content>`,
  );
  expect(contents?.map(({ url, licenses }) => [url, licenses.length])).toEqual([
    ['/a', 1],
    ['/b', 2],
  ]);
});
