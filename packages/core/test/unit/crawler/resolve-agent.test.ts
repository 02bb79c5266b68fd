import { describe, expect, test } from 'vitest';
import { toAgentTokens } from '../../../src/crawler/crawler.ts';
import { CRAWLER_RECORDS } from '../../../src/crawlers.ts';
import {
  CRAWLERS,
  createAgentResolver,
  decide,
  findCrawler,
  GLOBAL_CRAWLER,
  parse,
  RulesetCache,
  resolveAgent,
} from '../../../src/index.ts';

describe('resolveAgent', () => {
  test.each([
    ['googlebot', 'Googlebot', 'catalogue'],
    ['Googlebot-Image', 'Googlebot Image', 'catalogue'],
    ['googlebot news', 'Googlebot News', 'catalogue'],
    ['MyBot', 'MyBot', 'token'],
    ['MJ12bot', 'MJ12bot', 'token'],
    ['archive.org_bot', 'archive.org_bot', 'token'],
    ['008', '008', 'token'],
    ['*', '*', 'global'],
    ['token:MyBot', 'MyBot', 'token'],
    ['token:AB42bot', 'token:AB42bot', 'token'],
    ['token:Foo Bar', 'token:Foo Bar', 'token'],
    ['token:', 'token:', 'token'],
    ['Mozilla', 'Mozilla', 'token'],
    ['token:Googlebot-Image', 'token:Googlebot-Image', 'token'],
    ['MyBot/1.0', 'MyBot', 'header'],
    ['MJ12bot/v1.4.8 (http://mj12bot.com/)', 'MJ12bot', 'header'],
    ['Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)', 'bingbot', 'header'],
    ['Googlebot-News/1.0', 'Googlebot News', 'header'],
    ['(compatible; MyBot/1.0)', 'MyBot', 'header'],
    ['compatible; MyBot', 'MyBot', 'header'],
    ['Yahoo! Slurp', 'Slurp', 'header'],
    ['MyBot. (+http://x.example)', 'MyBot', 'header'],
    ['Mozilla/5.0 (compatible; ..MyBot.; +http://x.example)', 'MyBot', 'header'],
    ['archive.org_bot. (x)', 'archive.org_bot', 'header'],
    ['MyBot/1.0 (googlebot@x.example)', 'MyBot', 'header'],
    ['MyBot/1.0 (mailto:x@googlebot.example)', 'MyBot', 'header'],
    ['MyBot/1.0 <googlebot@x.example>', 'MyBot', 'header'],
    ['MyBot/1.0 (x.y/Googlebot)', 'MyBot', 'header'],
    ['MyBot/1.0 (+www.x.example:80/a/Googlebot?Googlebot)', 'MyBot', 'header'],
    ['MyBot/1.0 (x.example?Googlebot; x.example#Googlebot)', 'MyBot', 'header'],
    ['MyBot/1.0 (//x.example/Googlebot, ftp://Googlebot/)', 'MyBot', 'header'],
    [
      'Mozilla/5.0 (compatible; archive.org_bot/1.0 +http://archive.org/Googlebot)',
      'archive.org_bot',
      'header',
    ],
  ])('resolves %s to %s', (name, resolved, source) => {
    expect(resolveAgent(name)).toMatchObject({ name: resolved, source });
  });

  test.each(['', 'Bot\n', 'My\tBot', 'Bot\0', '\x7f', 'Бот', 'bot!'])(
    'throws for %j, which no user-agent line can name',
    (name) => {
      expect(() => resolveAgent(name)).toThrow(RangeError);
      expect(() => parse('').ruleset(name)).toThrow(RangeError);
    },
  );

  test.each([
    'My Bot',
    'not compatible with anything',
    '-/1',
    '._-/1',
    'several words that are no header',
    ' MyBot',
    '(x)',
    '/',
    'Mozilla/5.0',
    'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36',
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 6.1; Trident/4.0; SLCC2)',
    'Opera/9.80 (Windows NT 6.0) Presto/2.12.388 Version/12.14',
    'Dalvik/2.1.0 (Linux; U; Android 13)',
    'mozilla/5.0 (compatible; +https://example.com/bot)',
    'Mozilla/5.0 (compatible; https://googlebot.example/Googlebot)',
    'Moz\u0131lla/5.0 (Windows NT 10.0)',
    'MyB\u00f6t/1.0 (x)',
    'Mozilla/5.0 (compatible; MyB\u00f6t/1.0)',
    'Mozilla/5.0 (compatible; bot@x.example)',
    'bot@x.example (x)',
    'Mozilla-5.0 (X11)',
    'Mozilla5.0 (x)',
    'Mozilla. (x)',
    'Mozilla_5 (compatible; MSIE8.0)',
    'Chrome126.0.0.0 (x)',
  ])('throws TypeError for the header %j, which names no crawler', (header) => {
    expect(() => resolveAgent(header)).toThrow(TypeError);
    expect(() => parse('').ruleset(header)).toThrow(TypeError);
    expect(() => decide('', header, '/')).toThrow(TypeError);
  });

  test('recognises all documented crawlers in headers as operators write them', () => {
    const records = CRAWLER_RECORDS.filter(({ header }) => header !== null);
    for (const { name, token } of records)
      for (const header of [
        `Mozilla/5.0 (compatible;${token};+https://example.com/bot)`,
        `Mozilla/5.0 (compatible; ${token}/2.1; +https://example.com/${token}.html)`,
        `${token}/1.0 (+https://example.com/bot)`,
        `Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; ${token}/1.0) Chrome/126.0 Safari/537.36`,
        `Mozilla/5.0 (Linux; Android 5.0) AppleWebKit/537.36 Mobile Safari/537.36 (compatible; ${token.toLowerCase()}/1.2)`,
        `Mozilla/5.0 (${token}/1.0) Gecko/20100101 Firefox/128.0`,
      ])
        expect(resolveAgent(header), header).toMatchObject({ name: name ?? token, source: 'header' });
    expect(records.length).toBeGreaterThan(280);
  });

  test('a header is decided as the crawler that it names, not as "Mozilla"', () => {
    const file = 'User-agent: PetalBot\nDisallow: /\nUser-agent: *\nAllow: /';
    const header = 'Mozilla/5.0 (compatible;PetalBot;+https://webmaster.petalsearch.com/site/petalbot)';
    for (const agent of ['PetalBot', 'petalbot', header])
      expect(decide(file, agent, '/').kind).toBe('disallowed');
  });

  test('the name under which an agent is reported resolves to the same crawler', () => {
    for (const name of [
      '*',
      'token:AB42bot',
      'token:Foo Bar',
      'token:Googlebot-Image',
      'MJ12bot',
      'x/1',
      'Yahoo! Slurp',
    ])
      expect(toAgentTokens(resolveAgent(resolveAgent(name).name).crawler)).toEqual(
        toAgentTokens(resolveAgent(name).crawler),
      );
  });

  test('further crawlers are recognised by their headers, also by several words', () => {
    const own = { name: 'Screaming Frog', header: 'Screaming Frog SEO Spider' };
    const spider = { ...own, tokens: ['Screaming', 'Frog'], obeys: 'rules' } as const;
    const resolve = createAgentResolver([spider]);
    expect(resolve('Screaming Frog SEO Spider/20.1')).toEqual({
      name: own.name,
      crawler: spider,
      source: 'header',
    });
    expect(resolve('Screaming Frog SEO Spiders/20.1').name).toBe('Screaming');
    expect(resolve('Googlebot/2.1').name).toBe('Googlebot');
    expect(() => resolve('My Bot')).toThrow(TypeError);
    expect(resolve('Screaming Frog').crawler).toBe(spider);
    const image = {
      name: 'Googlebot-Image',
      tokens: ['Googlebot-Image'],
      obeys: 'rules',
      header: null,
    } as const;
    expect(createAgentResolver([image])('googlebot-image').crawler).toBe(image);
  });

  test('truncates long names in errors, and takes linear time', () => {
    expect(() => resolveAgent('é'.repeat(1_000_000))).toThrow(/^.{1,300}$/s);
    for (const header of [
      `${'http://'.repeat(200_000)} x`,
      `${'compatible;'.repeat(200_000)} /`,
      '. '.repeat(500_000),
      `${'1.'.repeat(500_000)}\u00f6 /`,
      `Mozilla${'1'.repeat(1_000_000)} (x)`,
      `Mozilla/5.0 (${'x.'.repeat(300_000)}/ ${'@'.repeat(300_000)}${'//'.repeat(300_000)})`,
    ])
      expect(() => resolveAgent(header)).toThrow(/^.{1,300}$/s);
    expect(resolveAgent(`${'compatible;'.repeat(200_000)}x/1`).name).toBe('x');
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

  test('a crawler with a token that no user-agent line can name throws', () => {
    for (const tokens of [['My Bot'], ['MyBot/1.0'], ['*'], [''], ['ok', 'no!']])
      expect(() => parse('').ruleset({ name: 'x', tokens, obeys: 'rules' })).toThrow(RangeError);
    expect(() => parse('').ruleset([])).toThrow(RangeError);
    expect(() => parse('').ruleset({ tokens: [] })).toThrow(RangeError);
    expect(() => parse('').ruleset([5 as never])).toThrow(TypeError);
    expect(() => parse('').ruleset({ tokens: ['x'], obey: 'rules' } as never)).toThrow(/"obey"/);
  });

  test.each(['Foo Bar', 'AB42bot', '*', 'x/1', 'é', 'foo\n', '360Spider'])(
    'the bare token %j, which no user-agent line can name in Google’s matcher, obeys the groups for *',
    (token) => {
      const own = `user-agent: ${token.replace('\n', '')}\ndisallow: /x\n`;
      const file = `${own}user-agent: *\nallow: /`;
      for (const bare of [[token], { tokens: [token] }, `token:${token}`] as const)
        expect(parse(file).ruleset(bare).decide('/')).toMatchObject({
          kind: 'allowed',
          group: { kind: 'global' },
        });
    },
  );

  test('the empty bare token names the values without a product token, as in Google’s matcher', () => {
    const file = 'user-agent: 360Spider\ndisallow: /\nuser-agent: a\nallow: /';
    for (const bare of [[''], { tokens: [''] }, 'token:'] as const) {
      expect(parse(file).ruleset(bare).decide('/')).toMatchObject({ kind: 'disallowed', line: 2 });
      expect(new RulesetCache(parse(file)).get(bare).decide('/')).toMatchObject({
        kind: 'disallowed',
        line: 2,
      });
    }
  });

  test('of several bare tokens, a verdict names those that a group names', () => {
    const file = 'user-agent: b\nuser-agent: c\ndisallow: /';
    const ruleset = parse(file).ruleset(['a', 'c', 'b', 'd']);
    for (let decision = 0; decision < 40; decision++)
      expect(ruleset.decide('/')).toMatchObject({ group: { kind: 'own', tokens: ['c', 'b'] } });
  });

  test('each name of the catalogue resolves to its crawler', () => {
    for (const crawler of CRAWLERS)
      expect(resolveAgent(crawler.name).crawler).toBe(findCrawler(crawler.name));
  });
});
