/** The time to read preferences grows no faster than their sources. */
import { expect, test } from 'vitest';
import { parse } from '../../../src/index.ts';
import { type PreferenceSources, readPreferences } from '../../../src/preferences.ts';
import { growthExponent, LINEAR } from '../../support/growth.ts';

const SIZES = [64_000, 128_000, 256_000];
const ATTEMPTS = 4;
const URL = `https://example.com/${'a'.repeat(200)}`;

/** Repeats parts up to a length. */
function fill(length: number, part: (index: number) => string): string {
  const parts: string[] = [];
  for (let index = 0, size = 0; size < length; index++) {
    const next = part(index);
    parts.push(next);
    size += next.length;
  }
  return parts.join('');
}

const fromRobots =
  (part: (index: number) => string) =>
  (size: number): PreferenceSources => ({
    policy: { kind: 'rules', robots: parse(`User-agent: *\n${fill(size, part)}`) },
  });

const fromRsl =
  (part: (index: number) => string, [start, end] = ['<rsl>', '</rsl>']) =>
  (size: number): PreferenceSources => ({ rsl: [{ url: null, text: start + fill(size, part) + end }] });

const ALLOW = '<license><permits type="usage">search</permits></license>';

test.each<[string, (size: number) => PreferenceSources]>([
  [
    'declarations for paths',
    fromRobots((index) => `Content-Usage: /${'a*'.repeat(40)}${index} train-ai=n\n`),
  ],
  ['paths that match', fromRobots((index) => `Content-Usage: /${'*'.repeat(index % 90)} train-ai=n\n`)],
  ['one long dictionary', fromRobots((index) => (index === 0 ? 'Content-Usage: a' : `,k${index}=y`))],
  ['signals', fromRobots((index) => `Content-Signal: ai-train=no, x${index}=yes\n`)],
  ['licences', fromRobots((index) => `License: https://example.com/${index}\n`)],
  [
    'groups of the crawler',
    fromRobots((index) => `User-agent: Googlebot\nContent-Signal: ai-train=no\nDisallow: /x${index}\n`),
  ],
  ['groups of a policy token', fromRobots((index) => `User-agent: Google-Extended\nDisallow: /x${index}\n`)],
  ['links', (size) => ({ headers: [['Link', fill(size, (index) => `<a${index}>; rel=license, `)]] })],
  ['directives', (size) => ({ headers: [['X-Robots-Tag', fill(size, () => 'noai, ')]] })],
  [
    'rules of tdmrep.json',
    (size) => ({
      tdmrep: `[${fill(size, (index) => `{"location":"/${'*a'.repeat(40)}${index}","tdm-reservation":1},`)}{}]`,
    }),
  ],
  ['RSL contents', fromRsl((index) => `<content url="/*a*a*${index}">${ALLOW}</content>`)],
  ['RSL licences', fromRsl(() => ALLOW, ['<rsl><content url="/">', '</content></rsl>'])],
  ['RSL attributes', fromRsl((index) => ` a${index}="b"`, ['<rsl', '/>'])],
])('the time to read %s grows no faster than their length', (_name, create) => {
  const sources = new Map(SIZES.map((size) => [size, create(size)] as const));
  const read = (size: number): unknown =>
    readPreferences(sources.get(size) as PreferenceSources, 'Googlebot', URL);
  expect(growthExponent((size) => void read(size), SIZES, ATTEMPTS)).toBeLessThan(LINEAR);
});
