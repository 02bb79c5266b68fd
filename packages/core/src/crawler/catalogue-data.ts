/**
 * The data of the catalogue, written from `crawlers/crawlers.json` by `npm run crawlers`.
 *
 * @module
 */
import type { Crawler } from './crawler.ts';

/** A crawler whose only token is its name, or a name with the properties that differ. */
type CatalogueItem =
  | string
  | readonly [
      name: string,
      further: Partial<Pick<Crawler, 'tokens' | 'obeys'>> & { readonly header?: string | null },
    ];

/** Crawlers by operator and source. */
export const CATALOGUE_DATA: readonly (readonly [operator: string, source: string, ...CatalogueItem[]])[] = [
  [
    'Google',
    'https://developers.google.com/crawling/docs/crawlers-fetchers/google-common-crawlers',
    'Googlebot',
    ['Googlebot Image', { tokens: ['Googlebot-Image', 'Googlebot'], header: 'Googlebot-Image' }],
    ['Googlebot Video', { tokens: ['Googlebot-Video', 'Googlebot'], header: 'Googlebot-Video' }],
    ['Googlebot News', { tokens: ['Googlebot-News', 'Googlebot'], header: null }],
    ['Storebot', { tokens: ['Storebot-Google'], header: 'Storebot-Google' }],
    ['Google-InspectionTool', { tokens: ['Google-InspectionTool', 'Googlebot'] }],
    'GoogleOther',
    ['GoogleOther-Image', { tokens: ['GoogleOther-Image', 'GoogleOther'] }],
    ['GoogleOther-Video', { tokens: ['GoogleOther-Video', 'GoogleOther'] }],
    ['Google-CloudVertexBot', { tokens: ['Google-CloudVertexBot', 'Googlebot'] }],
    ['Google-Extended', { header: null }],
  ],
  [
    'Google',
    'https://developers.google.com/crawling/docs/crawlers-fetchers/google-special-case-crawlers',
    ['APIs-Google', { obeys: 'own-rules' }],
    ['AdsBot-Google', { obeys: 'own-rules' }],
    ['AdsBot-Google-Mobile', { obeys: 'own-rules' }],
    ['Mediapartners-Google', { obeys: 'own-rules' }],
    ['Google-Safety', { tokens: [], obeys: 'nothing' }],
  ],
  [
    'Google',
    'https://developers.google.com/crawling/docs/crawlers-fetchers/google-user-triggered-fetchers',
    ['FeedFetcher-Google', { tokens: [], obeys: 'nothing' }],
    ['Google-Read-Aloud', { tokens: [], obeys: 'nothing' }],
    ['Google-Site-Verification', { tokens: [], obeys: 'nothing' }],
  ],
  ['Microsoft', 'https://www.bing.com/webmasters/help/which-crawlers-does-bing-use-8c184ec0', 'bingbot'],
  [
    'Yandex',
    'https://yandex.com/support/webmaster/en/robot-workings/user-agent',
    ['YandexBot', { tokens: ['YandexBot', 'Yandex'] }],
  ],
  ['Baidu', 'https://chineseseoshifu.com/blog/what-is-baiduspider.html', 'Baiduspider'],
  ['DuckDuckGo', 'https://51degrees.tv/blog/duckduckgo-crawlers-2026', 'DuckDuckBot'],
  ['DuckDuckGo', 'https://duckduckgo.com/duckduckgo-help-pages/results/duckassistbot/', 'DuckAssistBot'],
  [
    'Apple',
    'https://support.apple.com/en-us/119829',
    ['Applebot', { tokens: ['Applebot', 'Googlebot'] }],
    ['Applebot-Extended', { header: null }],
  ],
  ['OpenAI', 'https://developers.openai.com/api/docs/bots', 'GPTBot', 'OAI-SearchBot', 'ChatGPT-User'],
  [
    'Anthropic',
    'https://support.claude.com/en/articles/8896518',
    'ClaudeBot',
    'Claude-User',
    'Claude-SearchBot',
  ],
  ['Perplexity', 'https://docs.perplexity.ai/docs/resources/perplexity-crawlers', 'PerplexityBot'],
  ['Common Crawl', 'https://commoncrawl.org/faq/', 'CCBot'],
  ['Meta', 'https://developers.facebook.com/docs/sharing/webmasters/web-crawlers/', 'meta-externalagent'],
  ['Amazon', 'https://developer.amazon.com/amazonbot', 'Amazonbot'],
  ['ByteDance', 'https://github.com/ai-robots-txt/ai.robots.txt/blob/main/robots.json', 'Bytespider'],
];
