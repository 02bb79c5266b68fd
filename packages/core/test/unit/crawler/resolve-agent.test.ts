import { describe, expect, test } from 'vitest';
import { CRAWLERS, findCrawler, GLOBAL_CRAWLER, parse, resolveAgent } from '../../../src/index.ts';

describe('resolveAgent', () => {
  test.each([
    ['googlebot', 'Googlebot', 'catalogue'],
    ['Googlebot-Image', 'Googlebot Image', 'catalogue'],
    ['googlebot news', 'Googlebot News', 'catalogue'],
    ['MyBot', 'MyBot', 'token'],
    ['MJ12bot', 'MJ12bot', 'token'],
    ['archive.org_bot', 'archive.org_bot', 'token'],
    ['008', '008', 'token'],
    ['token:MyBot', 'MyBot', 'token'],
    ['token:Googlebot-Image', 'token:Googlebot-Image', 'token'],
    ['MyBot/1.0', 'MyBot', 'header'],
    ['MJ12bot/v1.4.8 (http://mj12bot.com/)', 'MJ12bot', 'header'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot', 'header'],
    ['Googlebot-News/1.0', 'Googlebot News', 'header'],
  ])('resolves %s to %s', (name, resolved, source) => {
    expect(resolveAgent(name)).toMatchObject({ name: resolved, source });
  });

  test.each([
    '',
    '*',
    'Bot\n',
    'My\tBot',
    'Bot\0',
    '\x7f',
    'Бот',
    'bot!',
    'token:',
    'token:My Bot',
    ' MyBot',
    '(x)',
    '/',
  ])('throws for %j, which no user-agent line can name', (name) => {
    expect(() => resolveAgent(name)).toThrow(RangeError);
    expect(() => parse('').ruleset(name)).toThrow(RangeError);
  });

  test('truncates long names in errors, and takes linear time', () => {
    expect(() => resolveAgent('é'.repeat(1_000_000))).toThrow(/^.{1,300}$/s);
    expect(resolveAgent(`${'http://'.repeat(200_000)} x`).name).toBe('http');
  });
});

describe('the groups that an agent obeys', () => {
  const decides = (
    file: string,
    agent: Parameters<ReturnType<typeof parse>['ruleset']>[0],
  ): boolean | string => {
    const verdict = parse(file).ruleset(agent).decide('/x');
    return verdict.kind === 'out-of-scope' ? verdict.kind : verdict.allowed;
  };

  test('a catalogue crawler has fallback tokens, a bare token does not', () => {
    const file = 'user-agent: googlebot\ndisallow: /';
    expect(decides(file, 'Googlebot-Image')).toBe(false);
    expect(decides(file, { tokens: ['Googlebot-Image'] })).toBe(true);
    expect(decides(file, ['Googlebot-Image'])).toBe(true);
    expect(decides(file, 'token:Googlebot-Image')).toBe(true);
  });

  test('a catalogue crawler can ignore the groups for *', () => {
    const file = 'user-agent: *\ndisallow: /';
    expect(decides(file, 'AdsBot-Google')).toBe(true);
    expect(decides(file, { tokens: ['AdsBot-Google'] })).toBe(false);
  });

  test.each(['MJ12bot', '360Spider', 'archive.org_bot', '008', 'a.b'])(
    'the extended token %s selects its group',
    (name) => {
      const own = `user-agent: ${name}\ndisallow: /`;
      for (const file of [own, own.toUpperCase(), `user-agent: ${name}/1.0 x\ndisallow: /`]) {
        expect(decides(file, name), file).toBe(false);
        expect(decides(file, [name]), file).toBe(false);
        expect(decides(file, `${name}/2.0`), file).toBe(false);
      }
      for (const other of [`${name}2`, `${name}.`, `x${name}`]) expect(decides(own, other)).toBe(true);
      // The group for * does not apply if there is an own group (RFC 9309 section 2.2.1).
      expect(decides(`user-agent: *\ndisallow: /\nuser-agent: ${name}\nallow: /`, name)).toBe(true);
    },
  );

  test('the leading product token of an extended token selects the group too, as in Google’s matcher', () => {
    expect(decides('user-agent: MJ12bot\ndisallow: /', 'MJ')).toBe(false);
  });

  test('a crawler that no group names obeys the groups for *', () => {
    expect(decides('user-agent: *\ndisallow: /\nuser-agent: a\nallow: /', GLOBAL_CRAWLER)).toBe(false);
    expect(decides('user-agent: a\ndisallow: /', GLOBAL_CRAWLER)).toBe(true);
  });

  test('tokens that no user-agent line can name throw in all forms of a crawler', () => {
    for (const tokens of [['My Bot'], ['MyBot/1.0'], ['*'], [''], ['ok', 'no!']]) {
      expect(() => parse('').ruleset(tokens)).toThrow(RangeError);
      expect(() => parse('').ruleset({ tokens })).toThrow(RangeError);
      expect(() => parse('').ruleset({ name: 'x', tokens, obeys: 'rules' })).toThrow(RangeError);
    }
    expect(() => parse('').ruleset([])).toThrow(RangeError);
  });

  test('each name of the catalogue resolves to its crawler', () => {
    for (const crawler of CRAWLERS)
      expect(resolveAgent(crawler.name).crawler).toBe(findCrawler(crawler.name));
  });
});
