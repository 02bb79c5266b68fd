import { expect, test } from 'vitest';
import { chooseEvicted, type Totals } from '../../src/store/limits.ts';

const LIMITS = { maxBytes: 1_000, maxOrigins: 100, maxAge: 1 };
const FULL: Totals = { origins: 101, bytes: 900, failingOrigins: 0, failingBytes: 0 };

test.each<[string, Partial<Totals>, ReturnType<typeof chooseEvicted>]>([
  ['within the limits', { origins: 100, bytes: 1_000, failingOrigins: 100, failingBytes: 1_000 }, undefined],
  ['too many origins', {}, 'good'],
  ['too many bytes', { origins: 1, bytes: 1_001 }, 'good'],
  ['half of the origins are in an outage', { failingOrigins: 50 }, 'good'],
  ['more than half of the origins are in an outage', { failingOrigins: 51 }, 'failing'],
  ['half of the bytes are of origins in an outage', { failingBytes: 500 }, 'good'],
  ['more than half of the bytes are of origins in an outage', { failingBytes: 501 }, 'failing'],
  ['there are no other origins', { origins: 1, bytes: 1_001, failingOrigins: 1 }, 'failing'],
])('%s: the kind that is evicted', (_name, totals, kind) => {
  expect(chooseEvicted({ ...FULL, ...totals }, LIMITS)).toBe(kind);
});
