import { createHash } from 'node:crypto';
import { PROFILES, resolveProfile } from '@maycrawl/core';
import { describe, expect, test } from 'vitest';
import type { Capture } from '../../src/census/capture.ts';
import { BodyJudge } from '../../src/census/judge/body-judge.ts';
import { getOutcome, hasFile } from '../../src/census/judge/outcome.ts';
import { DigestSet } from '../../src/census/tables/digest-set.ts';

const CAPTURE: Capture = {
  url: 'https://example.com/robots.txt',
  time: null,
  status: 200,
  location: null,
  body: Buffer.from('User-agent: *'),
  isTruncated: false,
  kind: 'response',
  hops: 0,
  input: 'a.warc',
  offset: 0,
};

describe('outcomes', () => {
  const google = resolveProfile('google');

  test.each<readonly [string, Partial<Capture>]>([
    ['rules', {}],
    ['rules', { status: 204 }],
    ['rules', { status: null }],
    ['redirect', { status: 301, location: '/x' }],
    ['absent', { status: 301 }],
    ['absent', { status: 300, location: '/x' }],
    ['absent', { status: 404 }],
    ['absent', { status: 403 }],
    ['unreachable', { status: 429 }],
    ['unreachable', { status: 500 }],
    ['unreachable', { status: 304 }],
    ['unreachable', { status: 100 }],
    ['unreachable', { kind: 'invalid', status: null, body: null }],
    ['not-modified', { kind: 'not-modified', status: 304, body: null }],
    ['duplicate', { kind: 'duplicate', body: null }],
    ['duplicate', { kind: 'duplicate', status: null, body: null }],
    ['redirect', { kind: 'duplicate', status: 301, location: '/x', body: null }],
    ['absent', { kind: 'duplicate', status: 404, body: null }],
    ['unreachable', { kind: 'duplicate', status: 503, body: null }],
    ['truncated', { isTruncated: true }],
    ['truncated', { body: null }],
    ['rules', { isTruncated: true, body: Buffer.alloc(512_001) }],
  ])('%s: %j', (outcome, changes) => {
    const capture = { ...CAPTURE, ...changes };
    const kind = hasFile(capture, google) ? ('rules' as const) : undefined;
    expect(getOutcome(capture, google, kind)).toBe(outcome);
  });

  test('the profile decides about 429', () => {
    const outcomes = PROFILES.map((profile) => getOutcome({ ...CAPTURE, status: 429 }, profile, undefined));
    expect(outcomes).toEqual(['unreachable', 'unreachable', 'absent', 'absent']);
  });
});

describe('bodies', () => {
  const judge = new BodyJudge({
    agents: ['GPTBot', 'Googlebot-Image', 'AdsBot-Google', 'CCBot'],
    profile: 'google',
  });
  const classify = (text: string) => {
    const { classes, classOfAgent, groupOfAgent } = judge.judge(Buffer.from(text));
    return classOfAgent.map((place, agent) => [classes[place]?.kind, groupOfAgent[agent]]);
  };

  test('each agent has the class of its groups, and how they apply', () => {
    const text =
      'User-agent: GPTBot\nDisallow: /\nUser-agent: Googlebot\nDisallow: /x\nUser-agent: *\nAllow: /\n';
    expect(classify(text)).toEqual([
      ['none', 'own'],
      ['some', 'fallback'],
      ['all', 'none'],
      ['all', 'global'],
    ]);
    expect(classify('')).toEqual(Array.from({ length: 4 }, () => ['all', 'none']));
  });

  test('agents with the same groups share a class', () => {
    const { classes, classOfAgent } = judge.judge(Buffer.from('User-agent: *\nDisallow: /'));
    expect(classes.map(({ kind }) => kind)).toEqual(['none', 'all']);
    // AdsBot ignores the groups for `*`.
    expect(classOfAgent).toEqual([0, 0, 1, 0]);
  });

  test.each([
    ['empty', ''],
    ['empty', ' \r\n\t\n'],
    ['page', '<!DOCTYPE html><html></html>'],
    ['page', '\u{feff}\n<html>'],
    ['rules', '<b>\nUser-agent: *\nDisallow: /'],
    ['rules', '# comment'],
    ['rules', 'User-agent: *'],
  ])('%s: %j', (kind, text) => {
    expect(judge.judge(Buffer.from(text)).kind).toBe(kind);
  });

  test('lines are counted, and the size limit is marked', () => {
    const text =
      'User-agent: a\nUser-agent: b\nDisallow: /\nAllow: /x\nDisallow:\nSitemap: https://example.com/s.xml\nx: y';
    expect(judge.judge(Buffer.from(text))).toMatchObject({
      userAgents: 2,
      rules: 3,
      sitemaps: 1,
      named: [
        { token: 'a', text: 'a' },
        { token: 'b', text: 'b' },
      ],
      unnamed: 0,
      isOverLimit: false,
    });
    expect(judge.judge(Buffer.alloc(512_001, '#'))).toMatchObject({ bytes: 512_001, isOverLimit: true });
  });

  test('the values of user-agent lines are listed once, as written and as tokens, up to a limit', () => {
    const { named } = judge.judge(
      Buffer.from('User-agent: GPTBot/1.0\nUser-agent: * x\nUser-agent: GPTBot/1.0\nUser-agent: ü'),
    );
    expect(named).toEqual([
      { token: 'gptbot', text: 'GPTBot/1.0' },
      { token: '*', text: '* x' },
      { token: '', text: 'ü' },
    ]);
    const many = Array.from({ length: 1_200 }, (_, n) => `User-agent: bot${n}\n`).join('');
    const { named: first, unnamed, userAgents } = judge.judge(Buffer.from(many));
    expect([first.length, unnamed, userAgents]).toEqual([1_000, 200, 1_200]);
    expect(judge.judge(Buffer.from(`User-agent: ${'x'.repeat(999)}`)).named[0]?.text).toHaveLength(100);
  });

  test('"*" is an agent like others: the crawler that no group names', () => {
    const text =
      'User-agent: a\nAllow: /\nUser-agent: *\nDisallow: /x\nCrawl-delay: 2\nContent-Usage: train-ai=n\n';
    const all = new BodyJudge({ agents: ['*', 'a'], profile: 'google' }).judge(Buffer.from(text));
    expect(all.classOfAgent.map((index) => all.classes[index]?.kind)).toEqual(['some', 'all']);
    expect(all.groupOfAgent).toEqual(['global', 'own']);
    expect(all.crawlDelays).toEqual([{ agent: '*', seconds: 2 }]);
    expect(all.preferences.map(({ agent }) => agent)).toEqual(['*', 'a']);
  });

  test('unknown agents and profiles are refused', () => {
    expect(() => new BodyJudge({ agents: ['B@d'], profile: 'google' })).toThrow(RangeError);
    expect(() => new BodyJudge({ agents: [], profile: 'goggle' })).toThrow(RangeError);
  });
});

test('a set of digests equals the set of Node', () => {
  const set = new DigestSet();
  const expected = new Set<string>();
  for (let index = 0; index < 20_000; index++) {
    const digest = createHash('sha256')
      .update(String(index % 7000))
      .digest('hex');
    expect(set.has(digest)).toBe(expected.has(digest));
    expect(set.add(digest)).toBe(!expected.has(digest));
    expected.add(digest);
  }
  expect(set.add('0'.repeat(64))).toBe(true);
  expect(set.add('0'.repeat(64))).toBe(false);
  expect(set.size).toBe(expected.size + 1);
});
