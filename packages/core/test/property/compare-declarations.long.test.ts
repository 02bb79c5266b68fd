/** Changed declarations are exactly those that readings of many agents and paths show. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from '../../src/index.ts';
import { decideByPolicy } from '../../src/model/robots-policy.ts';
import { SelectedStatements } from '../../src/preferences/selected-statements.ts';
import { SiteStatements } from '../../src/preferences/site-statements.ts';
import type { PreferenceSources } from '../../src/preferences/sources.ts';
import { combineValues } from '../../src/preferences/statement.ts';
import { compareDeclarations, POLICY_TOKENS, READINGS, readPreferences } from '../../src/preferences.ts';
import { ANY_OTHER_CRAWLER, listCrawlers, type NamedCrawler } from '../../src/proofs.ts';
import { anyBytes, LONG_PARAMETERS, takeShare } from '../support/arbitraries.ts';
import { enumeratePaths } from '../support/enumeration.ts';

const RUNS = takeShare(LONG_PARAMETERS, 20);

const ORIGIN = 'http://localhost';

const path = fc.oneof(
  { weight: 2, arbitrary: fc.constant('') },
  fc
    .array(fc.constantFrom('a', 'a', 'b', '/', '*', '$', '%61', '?'), { maxLength: 4 })
    .map((parts) => `/${parts.join('')} `),
);
const usage = fc.constantFrom(
  'train-ai=n',
  'train-ai=y',
  'train-ai=y, ai=n',
  'search=n',
  'bots=y',
  'all=n',
  'Ai=n',
  'ai=?1',
);
const signal = fc.constantFrom(
  'ai-train=no',
  'ai-train=yes',
  'search=yes,ai-train=no',
  'use=full',
  'ai-input=no',
);
const line = fc.oneof(
  {
    weight: 3,
    arbitrary: fc
      .constantFrom('*', 'GPTBot', 'a', 'Google-Extended', 'Googlebot')
      .map((name) => `User-agent: ${name}`),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constantFrom('Allow: ', 'Disallow: '), path).map((parts) => parts.join('').trim()),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(fc.constant('Content-Usage: '), path, usage).map((parts) => parts.join('')),
  },
  {
    weight: 2,
    arbitrary: fc.tuple(fc.constant('Content-Signal: '), path, signal).map((parts) => parts.join('')),
  },
  fc.constantFrom('License: https://example.com/1', 'License: https://example.com/2'),
);
const lines = fc.array(line, { maxLength: 10 }).map((list) => ['User-agent: *', ...list]);
/** Two files: independent ones, or one with a line that is added, replaced or moved. */
const pair: fc.Arbitrary<readonly [readonly string[], readonly string[]]> = fc.oneof(
  fc.tuple(lines, lines),
  fc.tuple(lines, line, fc.nat(11)).map(([list, extra, at]) => [list, list.toSpliced(at, 0, extra)] as const),
  fc
    .tuple(lines, line, fc.nat(11))
    .map(([list, other, at]) => [list, list.with(at % list.length, other)] as const),
  fc.tuple(lines, fc.nat(10), fc.nat(10)).map(([list, from, to]) => {
    const moved = [...list];
    moved.splice(to, 0, ...moved.splice(from, 1));
    return [list, moved] as const;
  }),
);

const AGENTS: readonly string[] = [
  'GPTBot',
  'a',
  'Googlebot',
  'Googlebot Image',
  'Applebot',
  'AdsBot-Google',
  ANY_OTHER_CRAWLER,
];
const PURPOSES = ['search', 'ai-train', 'ai-input', 'all', 'tdm', 'genai-train', 'use'] as const;

/** A naive reading of one agent and path. */
function read(sources: PreferenceSources, { crawler }: NamedCrawler, url: string) {
  const { policy } = sources;
  if (policy === undefined) throw new Error('no policy');
  const statements = new SelectedStatements(
    new SiteStatements(sources, crawler, POLICY_TOKENS),
    sources,
    url,
  );
  const isFetchable = decideByPolicy(policy, crawler, url).kind === 'allowed';
  const readPurpose = (purpose: string) =>
    combineValues(statements.select(purpose, READINGS[0]).map(({ statement }) => statement.value));
  return { isFetchable, purposes: statements.purposes, readPurpose };
}

const TRIALS = [
  { profile: 'google', characters: ['/', 'a', 'b', '?'], maxLength: 4 },
  { profile: 'rfc9309', characters: ['/', 'a', '%61', '?'], maxLength: 4 },
];

test.each(TRIALS)(
  'a change is reported exactly if a reading of $profile changes',
  ({ profile, characters, maxLength }) => {
    const paths = enumeratePaths(characters, maxLength);
    const tally = { changed: 0, same: 0, newlyFetchable: 0 };
    fc.assert(
      fc.property(pair, (texts) => {
        const [before, after] = texts.map((text) => parse(text.join('\n'), { profile }));
        if (before === undefined || after === undefined) throw new Error('two files');
        const [was, is] = [before, after].map(
          (robots): PreferenceSources => ({ policy: { kind: 'rules', robots } }),
        );
        if (was === undefined || is === undefined) throw new Error('two files');
        const crawlers = listCrawlers([before, after]).filter(({ name }) => AGENTS.includes(name));
        const { equivalent, changes, licenses, undecided } = compareDeclarations(before, after, { crawlers });
        expect(undecided).toEqual([]);
        expect(equivalent).toBe(changes.length + licenses.length === 0);
        tally[equivalent ? 'same' : 'changed']++;
        for (const { purpose, crawlers: own, example, ...values } of changes) {
          if (values.before.value === 'not-applicable') tally.newlyFetchable++;
          for (const { crawler } of own) {
            const reports = [was, is].map((sources) => readPreferences(sources, crawler, ORIGIN + example));
            for (const [index, value] of [values.before, values.after].entries()) {
              const known = reports[index]?.purposes[purpose];
              // A report omits other purposes that only wider categories include.
              if (known === undefined) continue;
              expect(known.value).toBe(value.value);
              expect(known.line).toBe(value.statement?.line ?? null);
              expect(known.format).toBe(value.statement?.format ?? null);
            }
            expect(values.before.value).not.toBe(values.after.value);
          }
        }
        const reported = new Set(
          changes.flatMap(({ purpose, crawlers: own, before: old, after: now }) =>
            own.map(({ name }) => `${name} ${purpose} ${old.value} ${now.value}`),
          ),
        );
        const found = new Map<string, string>();
        for (const named of crawlers) {
          const hasSameLicenses =
            new Set(
              [was, is].map((sources) =>
                // A licence that a file names twice is one.
                [...new Set(readPreferences(sources, named.crawler, ORIGIN).licenses.map(({ url }) => url))]
                  .sort()
                  .join(' '),
              ),
            ).size === 1;
          expect(licenses.some((each) => each.crawlers.some(({ name }) => name === named.name))).toBe(
            !hasSameLicenses,
          );
          for (const each of paths) {
            const [old, now] = [read(was, named, ORIGIN + each), read(is, named, ORIGIN + each)];
            if (!now.isFetchable) continue;
            for (const purpose of PURPOSES) {
              const isMain = purpose === 'search' || purpose === 'ai-train' || purpose === 'ai-input';
              if (!isMain && !old.purposes.has(purpose) && !now.purposes.has(purpose)) continue;
              const values = [old.readPurpose(purpose), now.readPurpose(purpose)];
              if (values[0] === values[1] || (!old.isFetchable && values[1] === 'unknown')) continue;
              const changed = `${named.name} ${purpose} ${values[0]} ${values[1]}`;
              const hidden = `${named.name} ${purpose} not-applicable ${values[1]}`;
              if (old.isFetchable ? !reported.has(changed) : !reported.has(changed) && !reported.has(hidden))
                found.set(changed, each);
            }
          }
        }
        expect([...found]).toEqual([]);
      }),
      RUNS,
    );
    expect(tally.changed).toBeGreaterThan(RUNS.numRuns / 4);
    expect(tally.same).toBeGreaterThan(RUNS.numRuns / 5);
    expect(tally.newlyFetchable).toBeGreaterThan(RUNS.numRuns / 100);
  },
);

test('no bytes cause an error, and a file has the same declarations as itself', () => {
  fc.assert(
    fc.property(anyBytes, anyBytes, (before, after) => {
      compareDeclarations(parse(before), parse(after));
      expect(compareDeclarations(parse(before), parse(before))).toMatchObject({
        equivalent: true,
        changes: [],
      });
    }),
    takeShare(LONG_PARAMETERS, 6),
  );
});
