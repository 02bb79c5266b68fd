import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import { createPolicyToken, DECLARING_FIELDS, listDeclarations } from '../../../src/preferences.ts';
import { FUZZ_PARAMETERS } from '../../support/arbitraries.ts';

const list = (...lines: string[]) => listDeclarations(parse(lines.join('\n'))).declarations;

describe('the declarations of a file', () => {
  test('have the agents of their group, their path and a statement for each label', () => {
    expect(
      list(
        'User-agent: a',
        'User-agent: GPTBot/1.0',
        'Content-Signal: /p/ ai-train=no, search=yes',
        'Content-Usage: bots=n',
      ),
    ).toMatchObject([
      {
        ...{ format: 'content-signal', agents: ['a', 'GPTBot/1.0'], path: '/p/', line: 3 },
        text: '/p/ ai-train=no, search=yes',
        statements: [
          { label: 'ai-train', purpose: 'ai-train', value: 'disallowed', line: 3, path: '/p/' },
          { label: 'search', purpose: 'search', value: 'allowed', line: 3 },
        ],
      },
      // A label of a category is about the category.
      {
        ...{ format: 'content-usage', path: null, line: 4 },
        statements: [{ dialect: 'aipref-04', label: 'bots', purpose: 'all', value: 'disallowed' }],
      },
    ]);
  });

  test('that declare nothing have no statements', () => {
    expect(
      list('License: https://example.com/l', 'Content-Usage: Train-AI=n', 'Content-Signal: x=yes'),
    ).toMatchObject([
      { format: 'rsl', text: 'https://example.com/l', agents: null, statements: [] },
      { format: 'content-usage', agents: null, statements: [] },
      { format: 'content-signal', statements: [] },
    ]);
  });

  test('are also the groups for policy tokens', () => {
    const robots = parse(
      'User-agent: Google-Extended\nDisallow: /\nUser-agent: train\nDisallow: /x\nUser-agent: *\nDisallow: /',
    );
    const policyTokens = ['Google-Extended', 'train', 'absent'].map((token) => createPolicyToken(token));
    expect(listDeclarations(robots, { policyTokens }).declarations).toMatchObject([
      { format: 'policy-token', agents: ['Google-Extended'], line: 2, statements: [{ value: 'disallowed' }] },
      { format: 'policy-token', agents: ['train'], line: null, statements: [{ value: 'allowed' }] },
    ]);
  });

  test('are limited, and the others are counted', () => {
    const robots = parse(`User-agent: *\n${'Content-Signal: ai-train=no\n'.repeat(1_234)}`);
    expect(listDeclarations(robots)).toMatchObject({ declarations: { length: 1_000 }, omitted: 234 });
    expect(listDeclarations(robots, { limit: 1 })).toMatchObject({
      declarations: { length: 1 },
      omitted: 1_233,
    });
  });

  test('are the lines with their fields', () => {
    const field = fc.constantFrom(
      ...['Content-Usage', 'content-signal', 'CONTENT-SIGNALS', 'License'],
      ...['Content-Use', 'Allow', 'User-agent'],
    );
    const value = fc.constantFrom(
      'train-ai=n',
      'ai-train=no',
      '/p ai-train=no',
      'https://example.com/',
      '*',
      '',
    );
    const line = fc
      .tuple(field, fc.constantFrom(': ', ':', ' : ', ' '), value)
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.array(line, { maxLength: 20 }), (lines) => {
        const expected = lines.flatMap((text, index) =>
          /^(?:content-usage|content-signals?|license) ?:/i.test(text) ? [index + 1] : [],
        );
        const declarations = list(...lines).filter(({ format }) => format !== 'policy-token');
        expect(declarations.map((each) => each.line)).toEqual(expected);
      }),
      FUZZ_PARAMETERS,
    );
  });

  test('are in lines with a declaring field', () => {
    for (const field of DECLARING_FIELDS) expect(list(`${field.toUpperCase()}: x`), field).toHaveLength(1);
  });
});
