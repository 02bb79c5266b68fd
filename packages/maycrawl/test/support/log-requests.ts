// Random requests that every format can express. IIS decodes the path and writes spaces as `+`: paths contain no `+` and no `%2F`, and headers
// contain a `+` only before an address.
import type { SentRequest } from './log-writer.ts';
import { createRandomIndex } from './random.ts';

const CRAWLER_HEADERS: readonly string[] = [
  'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)',
  'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; GPTBot/1.2; +https://openai.com/gptbot)',
  'Mozilla/5.0 (compatible; bingbot/2.0; +http://www.bing.com/bingbot.htm)',
  'CCBot/2.0 (https://commoncrawl.org/faq/)',
  'Odd"Bot\\/1.0 (+https://odd.example/bot) GPTBot caf\u00c3\u00a9',
];
const BROWSERS: readonly string[] = [
  'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36',
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_1 like Mac OS X) Safari/604.1',
  '-',
];
const SEGMENTS = 'a shop %20 %C3%A9 \u00c3\u00a9 ~ x.html item-1 robots.txt ( ) %25 ;p=1'.split(' ');
const QUERIES = ['', '', '?a=1', '?q=x+y%20z&"b"c', '?c:\\d', '?\u00c3\u00bc', '?%2F..%2f'];
const HOSTS = ['shop.example', 'www.shop.example', 'xn--bcher-kva.example'];

/** Creates requests from a seed. */
export function createRequests(count: number, seed: number): SentRequest[] {
  const next = createRandomIndex(seed);
  const pick = <Value>(values: readonly Value[]): Value => values[next(values.length)] as Value;
  let time = Date.UTC(2026, 9, 24, 23, 0, 0);
  return Array.from({ length: count }, (): SentRequest => {
    time += next(4) * 1000;
    const path = Array.from({ length: 1 + next(4) }, () => `/${pick(SEGMENTS)}`).join('');
    return {
      time,
      host: pick(HOSTS),
      method: pick(['GET', 'GET', 'GET', 'HEAD', 'POST']),
      target: path + pick(QUERIES),
      status: pick([200, 200, 301, 304, 403, 404, 410, 429, 499, 500, 503]),
      bytes: pick([0, 1, 512, 5316, 12_345_678_901]),
      userAgent: next(3) === 0 ? pick(CRAWLER_HEADERS) : pick(BROWSERS),
      address: next(4) === 0 ? `2001:db8::${(1 + next(65_535)).toString(16)}` : `203.0.113.${next(256)}`,
    };
  });
}
