/** The crawler of a client must be the one that its User-Agent header names. */
import { describe, expect, test } from 'vitest';
import { RobotsClient } from '../../src/index.ts';
import { fetchText } from '../support/results.ts';

/** What a program without type checks could pass. */
const any = (value: unknown): never => value as never;

test('members of a crawler count also if a class defines them, and later changes do not', async () => {
  const file = 'User-agent: ABot\nDisallow: /\nUser-agent: BBot\nAllow: /\nContent-Usage: train-ai=y\n';
  class Fallbacks {
    readonly tokens = ['ABot', 'BBot'];
    get name(): string {
      return 'Mine';
    }
    get obeys(): string {
      return 'own-rules';
    }
  }
  const inherited = Object.assign(Object.create({ name: 'Mine', obeys: 'own-rules' }), {
    tokens: ['ABot', 'BBot'],
  });
  for (const agent of [new Fallbacks(), inherited]) {
    const client = new RobotsClient({
      ...{ agent: any(agent), userAgent: 'ABot/1.0' },
      fetcher: fetchText(file),
    });
    const report = client.preferences('http://a.example/', any(agent));
    agent.tokens[0] = 'BBot';
    expect((await client.decide('http://a.example/')).kind).toBe('disallowed');
    expect((await report).crawl).toBe('disallowed');
  }
});

describe('the User-Agent header of a client', () => {
  const make = (agent: unknown, userAgent: unknown): (() => unknown) => {
    return () => new RobotsClient({ agent: any(agent), userAgent: any(userAgent), loading: 'on-demand' });
  };

  test.each([
    ['MyBot', 'MyBot/1.0 (+https://my.example/bot)'],
    ['MyBot', 'Mozilla/5.0 (compatible; MyBot/1.0; +https://my.example/bot)'],
    ['Googlebot', 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)'],
    ['Googlebot Image', 'Googlebot-Image/1.0'],
    ['Googlebot-Image', 'Googlebot/2.1'],
    [{ tokens: ['a', 'MyBot'] }, 'MyBot/1.0'],
    ['Mozilla/5.0 (compatible; MyBot/2.0)', 'MyBot/2.0'],
    [{ tokens: ['My Fetcher'] }, 'My Fetcher 1.0'],
    [{ name: 'Mine', tokens: ['MyBot-Image', 'MyBot'], obeys: 'rules' }, 'MyBot/1.0'],
    ['*', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0'],
    ['Google-Safety', 'any header'],
  ])('names the agent: %j, %j', (agent, userAgent) => {
    expect(make(agent, userAgent)).not.toThrow();
  });

  test.each([
    ['Googlebot', 'Googlebot-Image/1.0', '"Googlebot Image", not "Googlebot"'],
    ['MyBot', 'NotMyBot/1.0', '"NotMyBot", not "MyBot"'],
    ['*', 'GPTBot/1.0', '"GPTBot", not "*"'],
    [{ name: 'x', tokens: [], obeys: 'own-rules' }, 'GPTBot/1.0', '"GPTBot", not "x"'],
    ['MyBot', 'MyBotX/1.0', '"MyBotX", not "MyBot"'],
    [{ tokens: ['Foo Bar'] }, 'Foo/1.0', '"Foo", not "Foo Bar"'],
    ['MyBot', 'Mozilla/5.0 (X11; Linux x86_64) Firefox/131.0', 'names no crawler, and must name "MyBot"'],
    [['a', 'b'], 'c', '"c", not "a" or "b"'],
    ['*', 'ü', 'not a User-Agent header'],
    ['Google-Safety', '', 'not a User-Agent header'],
    ['MyBot', 5, 'not a User-Agent header'],
    ['MyBot', 'MyBot/1.0\r\nx: y', 'not a User-Agent header'],
  ])('does not name the agent: %j, %j', (agent, userAgent, message) => {
    expect(make(agent, userAgent)).toThrow(RangeError);
    expect(make(agent, userAgent)).toThrow(message);
  });
});
