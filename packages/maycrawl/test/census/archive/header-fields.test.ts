import { expect, test } from 'vitest';
import { HeaderFields } from '../../../src/census/archive/header-fields.ts';

const NAMES = ['content-type', 'date'] as const;

function read(header: string): { type: readonly string[]; date: readonly string[] } {
  const fields = new HeaderFields(NAMES, Buffer.from(header, 'latin1'), 0);
  return { type: fields.getAll('content-type'), date: fields.getAll('date') };
}

test('names are compared without their case, and lines are continued', () => {
  expect(read('CONTENT-Type: text/plain\r\nDate:\r\n\tSun\nx: y\n\n')).toEqual({
    type: ['text/plain'],
    date: ['Sun'],
  });
});

test('only letters have a case: a CR is no hyphen', () => {
  expect(read('content\rtype: a\r\ncontent\x0dtype: b\r\n\r\n').type).toEqual([]);
});
