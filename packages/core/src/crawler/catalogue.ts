/**
 * The crawler catalogue: known crawlers, the product tokens that they look for, and the pages on which their operators document them.
 *
 * @module
 */
import type { Crawler } from './crawler.ts';

/** A known crawler. */
export interface CatalogueEntry extends Crawler {
  /** The organisation that runs it. */
  readonly operator: string;
  /** Its name in the User-Agent header; `null` if it has no User-Agent of its own. */
  readonly header: string | null;
  /** URL of the operator's documentation, or of a third party's if the operator has none. */
  readonly source: string;
}

const GOOGLE_COMMON = 'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers';
const GOOGLE_SPECIAL =
  'https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers';
const GOOGLE_FETCHERS =
  'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers';
const BING = 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0';
const YANDEX = 'https://yandex.com/support/webmaster/en/robot-workings/check-yandex-robots';
const BAIDU = 'https://help.baidu.com/question?prod_id=99&class=476&id=2996';
const DUCKDUCKGO = 'https://duckduckgo.com/duckduckgo-help-pages/results/duckduckbot';
const DUCKASSIST = 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot';
const APPLE = 'https://support.apple.com/en-us/119829';
const OPENAI = 'https://platform.openai.com/docs/bots';
const ANTHROPIC = 'https://support.claude.com/en/articles/8896518';
const PERPLEXITY = 'https://docs.perplexity.ai/guides/bots';
const COMMON_CRAWL = 'https://commoncrawl.org/ccbot';
const META = 'https://developers.facebook.com/docs/sharing/webcrawlers';
const AMAZON = 'https://developer.amazon.com/amazonbot';
const BYTEDANCE = 'https://darkvisitors.com/agents/bytespider';

function createEntry(
  operator: string,
  source: string,
  token: string,
  further: Partial<CatalogueEntry> = {},
): CatalogueEntry {
  return { name: token, operator, tokens: [token], obeys: 'rules', header: token, source, ...further };
}

/** A crawler that ignores robots.txt because it fetches for a user, or for safety. */
function createExemptEntry(token: string, source: string): CatalogueEntry {
  return createEntry('Google', source, token, { tokens: [], obeys: 'nothing' });
}

/** The known crawlers. */
export const CRAWLERS: readonly CatalogueEntry[] = /* @__PURE__ */ createCatalogue();

function createCatalogue(): CatalogueEntry[] {
  const google = (token: string, further?: Partial<CatalogueEntry>): CatalogueEntry =>
    createEntry('Google', GOOGLE_COMMON, token, further);
  const special = (token: string): CatalogueEntry =>
    createEntry('Google', GOOGLE_SPECIAL, token, { obeys: 'own-rules' });
  const openai = (token: string): CatalogueEntry => createEntry('OpenAI', OPENAI, token);
  const anthropic = (token: string): CatalogueEntry => createEntry('Anthropic', ANTHROPIC, token);
  return [
    google('Googlebot'),
    google('Googlebot-Image', { name: 'Googlebot Image', tokens: ['Googlebot-Image', 'Googlebot'] }),
    google('Googlebot-Video', { name: 'Googlebot Video', tokens: ['Googlebot-Video', 'Googlebot'] }),
    google('Googlebot-News', {
      name: 'Googlebot News',
      tokens: ['Googlebot-News', 'Googlebot'],
      header: null,
    }),
    google('Storebot-Google', { name: 'Storebot' }),
    google('Google-InspectionTool', { tokens: ['Google-InspectionTool', 'Googlebot'] }),
    google('GoogleOther'),
    google('GoogleOther-Image', { tokens: ['GoogleOther-Image', 'GoogleOther'] }),
    google('GoogleOther-Video', { tokens: ['GoogleOther-Video', 'GoogleOther'] }),
    google('Google-CloudVertexBot', { tokens: ['Google-CloudVertexBot', 'Googlebot'] }),
    google('Google-Extended', { header: null }),
    special('APIs-Google'),
    special('AdsBot-Google'),
    special('AdsBot-Google-Mobile'),
    special('Mediapartners-Google'),
    createExemptEntry('Google-Safety', GOOGLE_SPECIAL),
    createExemptEntry('FeedFetcher-Google', GOOGLE_FETCHERS),
    createExemptEntry('Google-Read-Aloud', GOOGLE_FETCHERS),
    createExemptEntry('Google-Site-Verification', GOOGLE_FETCHERS),
    createEntry('Microsoft', BING, 'bingbot'),
    createEntry('Yandex', YANDEX, 'YandexBot', { tokens: ['YandexBot', 'Yandex'] }),
    createEntry('Baidu', BAIDU, 'Baiduspider'),
    createEntry('DuckDuckGo', DUCKDUCKGO, 'DuckDuckBot'),
    createEntry('DuckDuckGo', DUCKASSIST, 'DuckAssistBot'),
    createEntry('Apple', APPLE, 'Applebot', { tokens: ['Applebot', 'Googlebot'] }),
    createEntry('Apple', APPLE, 'Applebot-Extended', { header: null }),
    openai('GPTBot'),
    openai('OAI-SearchBot'),
    openai('ChatGPT-User'),
    anthropic('ClaudeBot'),
    anthropic('Claude-User'),
    anthropic('Claude-SearchBot'),
    createEntry('Perplexity', PERPLEXITY, 'PerplexityBot'),
    createEntry('Common Crawl', COMMON_CRAWL, 'CCBot'),
    createEntry('Meta', META, 'meta-externalagent'),
    createEntry('Amazon', AMAZON, 'Amazonbot'),
    createEntry('ByteDance', BYTEDANCE, 'Bytespider'),
  ];
}

/**
 * Finds a crawler by its name or its preferred token, case-insensitively.
 *
 * @param crawlers - the crawlers to search (default: {@link CRAWLERS}).
 * @returns `undefined` if there is no such crawler.
 */
export function findCrawler<C extends Crawler>(name: string, crawlers: readonly C[]): C | undefined;
export function findCrawler(name: string): CatalogueEntry | undefined;
export function findCrawler(name: string, crawlers: readonly Crawler[] = CRAWLERS): Crawler | undefined {
  const wanted = name.toLowerCase();
  return crawlers.find(
    (each) => each.name.toLowerCase() === wanted || each.tokens[0]?.toLowerCase() === wanted,
  );
}

/**
 * Recognises a crawler by a User-Agent header, such as
 * `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`. Names are matched as whole words, and the longest
 * match wins. The header does not authenticate the crawler: any client can send it.
 *
 * @param userAgent - the value of the header.
 * @param crawlers - the crawlers to search (default: {@link CRAWLERS}).
 * @returns `undefined` if the header names no crawler.
 */
export function recognizeCrawler(
  userAgent: string,
  crawlers: readonly CatalogueEntry[] = CRAWLERS,
): CatalogueEntry | undefined {
  // A word ends before any character other than a letter, digit, `_` or `-`. URLs are removed: they can contain names.
  const words = new Set(
    userAgent
      .toLowerCase()
      .replace(/https?:\/\/\S*/g, ' ')
      .split(/[^a-z0-9_-]+/),
  );
  let longest: CatalogueEntry | undefined;
  for (const each of crawlers) {
    if (each.header === null || !words.has(each.header.toLowerCase())) continue;
    if (each.header.length > (longest?.header?.length ?? 0)) longest = each;
  }
  return longest;
}
