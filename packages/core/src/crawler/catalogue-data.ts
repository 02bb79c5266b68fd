// The data of the catalogue, written from `crawlers/crawlers.json` by `npm run crawlers`.
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
  [
    'IETF proposal',
    'https://developers.google.com/crawling/docs/changelog',
    ['__usage_ai-training', { obeys: 'own-rules', header: null }],
  ],
];

const FURTHER = `
adidxbot AdsBot-Google-Mobile-Apps AhrefsBot AhrefsSiteAudit AI2Bot Ai2Bot-Dolma aiHitBot amazon-kendra
amazon-QBusiness AmazonBuyForMe Amzn-SearchBot Amzn-User Andibot anthropic-ai ApifyBot archive.org_bot
AspiegelBot atlassian-bot AwarioBot AwarioRssBot AwarioSmartBot AzureAI-SearchBot Baiduspider-ads
Baiduspider-cpro Baiduspider-favo Baiduspider-image Baiduspider-mobile Baiduspider-news Baiduspider-render
Baiduspider-video Barkrowler bedrockbot BingPreview BingVideoPreview BLEXBot Bravebot Brightbot BUbiNG
ChatGLM-Spider Claude-Code Claude-Web Cloudflare-AutoRAG coccocbot coccocbot-ads coccocbot-image coccocbot-web
cohere-ai cohere-training-data-crawler Cotoyogi CriteoBot DataForSeoBot Daum Daumoa DeepSeekBot Diffbot
Discordbot DotBot DuckDuckGo-Favicons-Bot DuplexWeb-Google EasouSpider EchoboxBot Embedly Exabot FacebookBot
facebookcatalog facebookexternalhit Facebot Factset_spyderbot FeedBurner Feedly FirecrawlAgent Flipboard
FlipboardProxy FlipboardRSS Gemini-Deep-Research Gigabot Google-Agent Google-CWS Google-GeminiNotebook
Google-NotebookLM Google-Pinpoint GoogleAgent-Mariner Googlebot-Mobile GoogleMessages GoogleProducer
googleweblight grapeshot GrapeshotCrawler heritrix HTTrack ia_archiver iAskBot iaskspider ICC-Crawler Iframely
ImagesiftBot img2dataset ISSCyberRiskCrawler IstellaBot iTMS Jetbot Jooblebot kagi-fetcher Kimi-User
LAIONDownloader LinerBot linkdexbot LinkedInBot LinkpadBot LinkupBot magpie-crawler Manus-User
meta-externalads meta-externalfetcher meta-webindexer MicrosoftPreview MistralAI-Index MistralAI-Training
MistralAI-User MJ12bot MojeekBot msnbot msnbot-media NaverBot NovaAct Nutch OAI-AdsBot omgili omgilibot
outbrain PanguBot PaperLiBot Perplexity-User PetalBot PhindBot Pinterest Pinterestbot proximic psbot
QualifiedBot QuillBot Quora-Bot Qwantbot Qwantify redditbot rogerbot SBIntuitionsBot Scrapy SearchmetricsBot
Seekbot SeekportBot SemanticScholarBot SemrushBot SemrushBot-BA SemrushBot-BM SemrushBot-COUB SemrushBot-CT
SemrushBot-FT SemrushBot-OCOB SemrushBot-SA SemrushBot-SI SemrushBot-SWA SEOkicks SEOkicks-Robot serpstatbot
SeznamBot Shap-User ShapBot sistrix SiteAuditBot Slack-ImgProxy Slackbot Slackbot-LinkExpanding Slurp Sogou
Sosospider spbot special_archiver SplitSignalBot Superfeedr Taboolabot TavilyBot TelegramBot Teoma TerraCotta
Thinkbot TikTokSpider Timpibot TongyiBot ToutiaoSpider Trae Tumblr TurnitinBot Twitterbot Uptimebot
UptimeRobot VelenPublicWebCrawler vkShare WARDBot webzio Webzio-Extended wpbot XoviBot yacybot YaDirectFetcher
Yahoo-Blogs Yahoo-MMCrawler YahooSeeker YandexAccessibilityBot YandexAdditional YandexAdditionalBot
YandexAdNet YandexBlogs YandexCalendar YandexDirect YandexDirectDyn YandexFavicons YandexForDomain
YandexImageResizer YandexImages YandexMarket YandexMedia YandexMetrika YandexMobileBot
YandexMobileScreenShotBot YandexNews YandexOntoDB YandexOntoDBAPI YandexPagechecker YandexPartner YandexRCA
YandexRenderResourcesBot YandexScreenshotBot YandexSearchShop YandexSitelinks YandexSpravBot YandexTracker
YandexTurbo YandexVerticals YandexVertis YandexVideo YandexVideoParser YandexWebmaster Yeti YisouSpider
YiyanBot YodaoBot YouBot YoudaoBot ZoominfoBot
`;

/** The tokens of documented crawlers that the catalogue does not contain, in alphabetical order. They are also their names in headers. */
export const FURTHER_TOKENS: readonly string[] = /* @__PURE__ */ Object.freeze(FURTHER.trim().split(/\s+/));
