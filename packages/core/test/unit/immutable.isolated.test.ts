/** What a caller can reach does not change the decisions of other callers. */

import { expect, test } from 'vitest';
import * as crawlers from '../../src/crawlers.ts';
import * as core from '../../src/index.ts';
import * as indexability from '../../src/indexability.ts';
import * as lint from '../../src/lint.ts';
import * as preferences from '../../src/preferences.ts';
import * as proofs from '../../src/proofs.ts';

const { decide, decideByPolicy, parse, PROFILES, GOOGLE, RulesetCache } = core;

const FILE =
  'User-agent: Googlebot\nDisallow: /a\nAllow: /a/index.html\nDisallow: b\nUser-agent: *\nDisallow: /\n';
const URL_OF_FILE = 'https://a.example/robots.txt';
const AGENTS = ['Googlebot', 'Googlebot Image', 'AdsBot-Google', 'MyBot', '*', 'MJ12bot/1.0'];

/** Decisions of new files and of an existing one, as text. */
function decideAll(): string {
  return (
    JSON.stringify(
      AGENTS.flatMap((agent) =>
        ['/a', '/a/', '/b', '/', '/robots.txt'].flatMap((path) => [
          ...PROFILES.map((profile) => decide(FILE, agent, path, { profile: profile.name })),
          decide(FILE, agent, path, { url: URL_OF_FILE }),
          ...core.POLICY_CODES.filter((code) => code !== 'rules').map((code) =>
            decideByPolicy(core.getPolicySummary(code) as core.RobotsPolicy, agent, path),
          ),
        ]),
      ).concat(core.CRAWLERS.map(({ name }) => decide(FILE, name, '/a'))),
    ) + readAll()
  );
}

const DECLARING =
  'User-agent: *\nContent-Usage: train-ai=n\nContent-Signal: ai-train=no, search=yes\nAllow: /\nUser-agent: CCBot\nUser-agent: Google-Extended\nDisallow: /\nUser-agent: Googelbot\n';

/** What the other entries say. */
function readAll(): string {
  const policy = { kind: 'rules', robots: parse(DECLARING) } as const;
  const headers = [
    ['X-Robots-Tag', 'noai, noindex'],
    ['tdm-reservation', '1'],
  ] as const;
  const page = {
    url: 'https://a.example/',
    status: 200,
    headers: [['X-Robots-Tag', 'googlebot: noindex']],
  } as const;
  return JSON.stringify([
    AGENTS.map((agent) => preferences.readPreferences({ policy, headers }, agent, 'https://a.example/')),
    preferences.listDeclarations(policy.robots),
    preferences.setPreferences(FILE, { 'ai-train': 'disallowed' }),
    lint.lint(parse(`${DECLARING}${FILE}`)),
    lint.groupFindings(lint.lint(parse(DECLARING)), ({ message }) => message),
    indexability.createPageFacts(page, null),
    crawlers.selectCrawlers(crawlers.CRAWLER_RECORDS, { purposes: ['ai-train'] }),
    [...crawlers.groupByPurpose(crawlers.CRAWLER_RECORDS).keys()],
    core.recognizeCrawler('Mozilla/5.0 (compatible; PetalBot)'),
    new proofs.FileClassifier('google', ['x']).classify(parse('')),
    proofs.proveVerdict(parse(FILE).ruleset('x'), '/*x*y', true, { maxStates: 1 }),
    proofs.compareFiles(parse(FILE), parse('')),
  ]);
}

let attempts = 0;

/** Tries to change everything that is reachable from a value: properties, getters, elements, entries. */
function change(value: unknown, seen = new Set<unknown>()): void {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || seen.has(value)) return;
  seen.add(value);
  // A copy of the bytes may change.
  if (ArrayBuffer.isView(value)) return;
  for (let at: object = value; at !== null && at !== Object.prototype && at !== Function.prototype; ) {
    for (const key of Reflect.ownKeys(at)) {
      const descriptor = Object.getOwnPropertyDescriptor(at, key) as PropertyDescriptor;
      if (key === 'constructor' || typeof value === 'function') continue;
      let current: unknown;
      try {
        current = Reflect.get(value, key);
      } catch {
        continue;
      }
      change(current, seen);
      // Methods of a class belong to the program, not to a document.
      if (typeof current === 'function' || descriptor.get !== undefined) continue;
      attempts++;
      Reflect.set(
        value,
        key,
        typeof current === 'boolean' ? !current : typeof current === 'number' ? 7 : 'changed',
      );
    }
    at = Object.getPrototypeOf(at) as object;
  }
  if (Array.isArray(value))
    Reflect.apply(Array.prototype.push, Object.isFrozen(value) ? [] : value, ['changed']);
}

test('no decision depends on what a caller did to an exported value, a document, a ruleset or a verdict', () => {
  const kept = parse(FILE, { url: URL_OF_FILE });
  const keptRuleset = kept.ruleset('Googlebot');
  const cache = new RulesetCache(kept);
  const before = decideAll();
  const decideKept = (): string =>
    JSON.stringify([
      kept.ruleset('Googlebot').decide('/a'),
      keptRuleset.decide('/a'),
      cache.get('Googlebot').decide('/a'),
    ]);
  const keptBefore = decideKept();
  for (const module of [core, crawlers, indexability, lint, preferences])
    for (const exported of Object.values(module)) change(exported);
  for (const agent of AGENTS) {
    const robots = parse(FILE, { url: URL_OF_FILE });
    change(robots);
    const ruleset = robots.ruleset(agent);
    change(ruleset);
    for (let decision = 0; decision < 20; decision++) change(ruleset.decide('/a'));
    change(new RulesetCache(kept).get(agent));
    change(core.resolveAgent(agent));
    change(core.findCrawler(agent));
    change(core.recognizeCrawler(`${agent}/1.0`));
    change(core.recognizeCrawler('Mozilla/5.0 (compatible; PetalBot/1.0)'));
    change(proofs.proveVerdict(ruleset, '/*x*y', true, { maxStates: 1 }));
    change(new proofs.FileClassifier('google', ['x']).classify(parse('')));
    change(proofs.listCrawlers([parse('')]));
  }
  change(keptRuleset);
  change(kept);
  expect(decideAll()).toBe(before);
  expect(decideKept()).toBe(keptBefore);
  expect(attempts).toBeGreaterThan(500);
});

test('assignments to shared values throw in strict mode', () => {
  const group = parse(FILE).ruleset('Googlebot').group as { kind: string };
  expect(() => {
    group.kind = 'none';
  }).toThrow(TypeError);
  expect(() => {
    (PROFILES[0] as { missingSlash: string }).missingSlash = 'add';
  }).toThrow(TypeError);
  expect(() => {
    (PROFILES as core.Profile[]).reverse();
  }).toThrow(TypeError);
});

test('a custom profile is copied, and later changes of it do not count', () => {
  const profile = {
    ...GOOGLE,
    name: 'own',
    outage: { ...GOOGLE.outage, phases: [{ from: 0, effect: 'disallow' as const }] },
  };
  const robots = parse('User-agent: *\nDisallow: a', { profile });
  Object.assign(profile, { missingSlash: 'add' });
  expect(robots.ruleset('MyBot').decide('/a').kind).toBe('allowed');
  expect(robots.profile.missingSlash).toBe('no-match');
  expect(decide('User-agent: *\nDisallow: a', 'MyBot', '/a', { profile }).kind).toBe('disallowed');
  Object.assign(profile, { missingSlash: 'sometimes' });
  expect(() => parse('', { profile })).toThrow(RangeError);
});
