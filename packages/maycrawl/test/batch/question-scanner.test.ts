import { isUtf8 } from 'node:buffer';
import fc from 'fast-check';
import { expect, test, vi } from 'vitest';
import { FileDecoder } from '../../src/batch/file-decoder.ts';
import { JsonStringDecoder, MAX_STRING_BYTES } from '../../src/batch/json-string.ts';
import { FIELDS, QuestionError, readContent } from '../../src/batch/question.ts';
import { scanQuestion } from '../../src/batch/question-scanner.ts';
import { QuestionJudge } from '../../src/batch/questions.ts';

const RUNS = Number(process.env['FUZZ_RUNS'] ?? 5000);
const options = { numRuns: RUNS, seed: Number(process.env['FUZZ_SEED'] ?? 1) };

const decoder = new FileDecoder();

/** Scans a line and decodes its file; `undefined` if the line must be read by JSON.parse. */
function scan(line: Buffer): Record<string, unknown> | undefined {
  const question = isUtf8(line) ? scanQuestion(line) : undefined;
  const content = question && decoder.decode(line, question);
  if (question === undefined || content === undefined) return undefined;
  const { fileStart, fileEnd, robots, robotsBase64, ...fields } = question;
  expect(robots ?? robotsBase64).toBe('');
  return { ...fields, content: Buffer.from(content).toString('hex') };
}

/** The same by JSON.parse; `undefined` if the line has no question with one file. */
function readByParser(line: Buffer): Record<string, unknown> | undefined {
  if (!isUtf8(line)) return undefined;
  try {
    const { robots_base64, robots_url, ...read } = JSON.parse(line.toString()) as Record<string, unknown>;
    if (robots_base64 !== undefined) read['robotsBase64'] = robots_base64;
    if (robots_url !== undefined) read['robotsUrl'] = robots_url;
    const content = Buffer.from(readContent(read)).toString('hex');
    const others = FIELDS.filter((field) => !field.startsWith('robots') || field === 'robotsUrl');
    return { ...Object.fromEntries(others.map((field) => [field, read[field]])), content };
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof QuestionError) return undefined;
    throw error;
  }
}

/** Characters of JSON and of robots.txt, escapes that are valid and others, and what UTF-8 has. */
const piece = fc.oneof(
  fc.constantFrom(
    'Disallow: /',
    'User-agent: *',
    '\\n',
    '\\r\\n',
    '\\t',
    '\\/',
    '\\"',
    '\\\\',
    '\\b\\f',
    'abcdefgh',
  ),
  fc.constantFrom(
    '\\u0000',
    '\\u00e9',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00',
    '\\ud83d\\n',
    '\\uFFFF',
    '\\u12',
  ),
  fc.constantFrom('é', '😀', '\ufeff', '\u007f', '\u0001', '\t', '\\x', '\\', '"', '\\u00g0', '\\ud83d\\u12'),
  fc.string({ unit: 'binary', maxLength: 4 }).map((text) => JSON.stringify(text).slice(1, -1)),
);
const text = fc.array(piece, { maxLength: 12 }).map((pieces) => `"${pieces.join('')}"`);
const plain = fc
  .array(fc.constantFrom('a', ' /', '\\n', '\\u00e9', 'ü', '*'), { maxLength: 9 })
  .map((all) => `"${all.join('')}"`);
const base64 = fc.oneof(
  fc.uint8Array({ maxLength: 40 }).map((bytes) => `"${Buffer.from(bytes).toString('base64')}"`),
  fc
    .array(fc.constantFrom('QUJD', 'QUI=', 'QQ==', 'Q', '=', '-', '_', ' ', '\\/', '/+', 'é', '\\n'), {
      maxLength: 5,
    })
    .map((all) => `"${all.join('')}"`),
);
const value = fc.oneof(
  plain,
  text,
  fc.json({ maxDepth: 2 }),
  fc.constantFrom(
    '1',
    '-0',
    '01',
    '1.5e3',
    '1e999',
    '12345678901234567',
    '-',
    'true',
    'false',
    'null',
    'nul',
    'tru e',
  ),
  fc.constantFrom('["a","b"]', '["a",]', '[]', '["a" , 1]', '[[]]', '{}', '["\\u0041]"]', '["a"', '', '"a"b'),
);
const space = fc.oneof(
  { weight: 15, arbitrary: fc.constant('') },
  { weight: 4, arbitrary: fc.constantFrom(' ', '\t', '\r', '  ', '\n') },
  { weight: 1, arbitrary: fc.constantFrom('\ufeff', '\v') },
);
const name = fc.oneof(
  fc.constantFrom(...FIELDS, 'robots_base64', 'robots_url').map((field) => `"${field}"`),
  fc.constantFrom('"x"', '""', '"r\\u006fbots"', '"\\ud83d"', '"é"', 'id', '"id', '"__proto__"'),
);
const usualFile = fc.oneof(
  plain.map((file) => `"robots":${file}`),
  text.map((file) => `"robots":${file}`),
  base64.map((file) => `"robotsBase64":${file}`),
);
const member = fc
  .tuple(space, name, space, space, fc.oneof(plain, value), space)
  .map(([a, field, b, c, content, d]) => `${a}${field}${b}:${c}${content}${d}`);
const question = fc
  .tuple(
    fc.array(member, { maxLength: 3 }),
    usualFile,
    fc.array(
      fc.oneof(
        plain.map((url) => `"url":${url}`),
        member,
      ),
      { maxLength: 2 },
    ),
    fc.constantFrom('', '', '', '', ' ', ',', '}', '\u0000', 'x'),
  )
  .map(([before, file, after, end]) => `{${[...before, file, ...after].join(',')}}${end}`);

test('a question that is scanned is the one that JSON.parse reads', () => {
  let scanned = 0;
  let valid = 0;
  fc.assert(
    fc.property(question, fc.nat(), fc.integer({ min: -1000, max: 255 }), (written, position, byte) => {
      const line = Buffer.from(written);
      // One byte is replaced in some lines.
      if (byte >= 0) line[position % line.length] = byte;
      const read = readByParser(line);
      const found = scan(line);
      if (found !== undefined) expect(found).toEqual(read);
      scanned += found === undefined ? 0 : 1;
      valid += read === undefined ? 0 : 1;
    }),
    options,
  );
  // Not vacuous.
  expect(valid).toBeGreaterThan(RUNS / 10);
  expect(scanned).toBeGreaterThan(valid / 3);
});

test.each([
  '{"robots":"a","agent":"a","url":"/"}',
  ' { "id" : -12 ,\t"robots":"\\u00e9\\n", "agents":["a", "b"], "url":"/\\u00e9","normalize":false } \r',
  '{"robotsBase64":"QQ==","crawler":"Googlebot","url":"/","robots_url":"https://h.example/robots.txt"}',
])('a question in the usual form is scanned: %s', (line) => {
  expect(scan(Buffer.from(line))).toEqual(readByParser(Buffer.from(line)));
  expect(scan(Buffer.from(line))).not.toBeUndefined();
});

test.each([
  '{"robots":"a","robots":"b"}',
  '{"robots":"a","robotsBase64":""}',
  '{"robotsBase64":"","robots_base64":""}',
  '{"robots":"a","\\u0069d":1}',
  '{"robots":"a","agent":null}',
  '{"robots":"a","id":{}}',
  '{"robots":"a","agents":[["a"]]}',
  '{"agent":"a","url":"/"}',
  '{"robots":"a"',
  '{"robots":"a"}}',
  '["robots"]',
  `{"robots":"a","x":"${'x'.repeat(1024 * 1024)}"}`,
])('JSON.parse reads a question in another form: %.60s', (line) => {
  expect(scanQuestion(Buffer.from(line))).toBeUndefined();
});

test('a string of JSON is decoded to the bytes that JSON.parse yields, and refused if it is invalid', () => {
  let valid = 0;
  fc.assert(
    fc.property(text, fc.nat(9), (written, offset) => {
      const start = `${' '.repeat(offset)}{"robots":`;
      const line = Buffer.from(`${start}${written}}`);
      const read = readByParser(line);
      expect(scan(line)).toEqual(read);
      valid += read === undefined ? 0 : 1;
    }),
    options,
  );
  expect(valid).toBeGreaterThan(RUNS / 10);
});

const strings = new JsonStringDecoder();
/** Decodes the content of a string. */
const decodeString = (content: string): string | undefined => {
  const line = Buffer.from(content);
  const bytes = strings.decode(line, 0, line.length);
  return bytes && Buffer.from(bytes).toString();
};

/** The same by JSON.parse. */
function parseString(content: string): string | undefined {
  try {
    return Buffer.from(JSON.parse(`"${content}"`)).toString();
  } catch {
    return undefined;
  }
}

test('each ASCII character is accepted as by JSON.parse, on its own and after a backslash', () => {
  for (let code = 0; code < 0x80; code++) {
    const character = String.fromCharCode(code);
    for (const content of [`a${character}b`, `\\${character}0041 `]) {
      // A quote ends the string.
      if (content !== 'a"b') expect(decodeString(content), content).toBe(parseString(content));
    }
  }
});

test('an escape at each position of a string is decoded, whatever follows it', () => {
  const escapes = [
    '\\n',
    '\\\\',
    '\\"',
    '\\u0041',
    '\\u00e9',
    '\\u20ac',
    '\\ud83d\\ude00',
    '\\ud83d',
    '\\ude00x',
  ];
  for (const each of escapes) {
    for (let before = 0; before < 40; before++) {
      for (const after of ['', 'a', '\\t', each, 'é'.repeat(20)]) {
        const content = 'b'.repeat(before) + each + after;
        const decoded = decodeString(content);
        expect(decoded).toBe(parseString(content));
        expect(decoded).not.toBeUndefined();
      }
    }
  }
});

test('an escape that ends with the string does not continue in the string before', () => {
  for (const string of ['\\n\\n', '\\u1234\\u1234', '\\ud83d\\ude00']) {
    for (let length = 1; length <= string.length; length++) {
      decodeString(string);
      const content = string.slice(0, length);
      expect(decodeString(content)).toBe(parseString(content));
    }
  }
});

test('a string of the maximum length is decoded, and a longer one is not', () => {
  const content = '\\n'.repeat(MAX_STRING_BYTES / 2);
  expect(decodeString(content)).toBe('\n'.repeat(MAX_STRING_BYTES / 2));
  expect(decodeString('a'.repeat(MAX_STRING_BYTES))).toHaveLength(MAX_STRING_BYTES);
  expect(decodeString('a'.repeat(MAX_STRING_BYTES + 1))).toBeUndefined();
});

/** A runtime without WebAssembly, and one without its SIMD instructions. */
const LIMITED = [
  undefined,
  {
    Module: class {
      constructor() {
        throw new Error('CompileError: Wasm SIMD unsupported');
      }
    },
  },
];

test.each(LIMITED)('without the code JSON.parse reads the line, with the same result (%#)', (limited) => {
  const line = Buffer.from('{"robots":"User-agent: *\\nDisallow: /x","agent":"a","url":"/x"}\n');
  const judge = (): string[] => Array.from(new QuestionJudge().judge(line), ({ text }) => text);
  const expected = judge();
  vi.stubGlobal('WebAssembly', limited);
  try {
    expect(new JsonStringDecoder().decode(line, 11, 20)).toBeUndefined();
    expect(judge()).toEqual(expected);
  } finally {
    vi.unstubAllGlobals();
  }
  expect(expected[0]).toContain('"allowed":false');
});

test('base64 is decoded or refused as by the check of its characters', () => {
  let valid = 0;
  fc.assert(
    fc.property(base64, (written) => {
      const line = Buffer.from(`{"robotsBase64":${written}}`);
      const read = readByParser(line);
      // An escape in base64 is unusual.
      if (!written.includes('\\')) expect(scan(line)).toEqual(read);
      valid += read === undefined ? 0 : 1;
    }),
    options,
  );
  expect(valid).toBeGreaterThan(RUNS / 3);
});
