import { expect, test } from 'vitest';
import { JsonShape } from '../../../src/serve/http/json-shape.ts';

test.each([
  ['levels', '[[{}]]', '[[{"a":[]}]]'],
  ['values', '["a,[",1]', '[[],1,2,3]'],
])(
  'JSON with as many %s as the limit is accepted, and with more it is refused',
  (_name, accepted, refused) => {
    const add = (text: string) => new JsonShape({ depth: 3, values: 4 }).add(Buffer.from(text));
    expect(() => add(accepted)).not.toThrow();
    expect(() => add(refused)).toThrow(/nested deeper than 3 levels|more than 4 values/);
  },
);
