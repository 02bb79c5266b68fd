/** What a program can reach through the library entries does not change the results of others. */
import { expect, test } from 'vitest';
import * as api from '../src/api.ts';
import * as audit from '../src/audit.ts';
import * as batch from '../src/batch.ts';
import * as census from '../src/census.ts';
import * as serve from '../src/serve.ts';
import * as webhook from '../src/watch/notifications/delivery/signature.ts';
import * as watch from '../src/watch.ts';

const ENTRIES = { api, audit, batch, census, serve, watch, webhook };

/** Returns the paths of the objects that can be changed, and the number of all objects. */
function findMutable(value: unknown, path: string, seen: Set<unknown>): string[] {
  if (typeof value !== 'object' || value === null || seen.has(value)) return [];
  seen.add(value);
  const isMutable = !Object.isFrozen(value) || value instanceof Map || value instanceof Set;
  const inside = Object.entries(value).flatMap(([name, each]) => findMutable(each, `${path}.${name}`, seen));
  return isMutable ? [path, ...inside] : inside;
}

test.each(Object.entries(ENTRIES))('no exported value of maycrawl/%s can be changed', (_name, entry) => {
  const seen = new Set<unknown>();
  const values = Object.entries(entry).filter(([, value]) => typeof value !== 'function');
  expect(values.flatMap(([name, value]) => findMutable(value, name, seen))).toEqual([]);
});

test('the walk finds values, and would find one that can be changed', () => {
  const seen = new Set<unknown>();
  for (const [name, value] of Object.entries({ ...api, ...census })) findMutable(value, name, seen);
  expect(seen.size).toBeGreaterThan(500);
  expect(findMutable(Object.freeze({ a: [1], b: Object.freeze({ c: new Set() }) }), 'x', new Set())).toEqual([
    'x.a',
    'x.b.c',
  ]);
});

test('the crawlers of a page check and the readings of a census are the same after attempts to change them', () => {
  const { COMMON_CRAWLERS } = api;
  const [reading] = census.OTHER_READINGS;
  const before = JSON.stringify(COMMON_CRAWLERS);
  expect(() => Object.assign(COMMON_CRAWLERS[0] as object, { crawler: [] })).toThrow(TypeError);
  expect(() => (COMMON_CRAWLERS as unknown[]).pop()).toThrow(TypeError);
  expect(() => Object.assign(reading as object, { name: 'x' })).toThrow(TypeError);
  expect(JSON.stringify(COMMON_CRAWLERS)).toBe(before);
});
