/**
 * Product tokens of crawlers that the catalogue does not list, from their operators' documentation or from
 * requests. They are not misspellings, and other names may be misspellings of them. The list does not say
 * which rules these crawlers obey.
 *
 * It omits names with a digit, a dot or a space (`MJ12bot`, `archive.org_bot`): parsers read only the
 * beginning of these.
 *
 * @module
 */
/** By operator, or by tool if anyone can run it. */
const TOKENS_BY_OPERATOR: Readonly<Record<string, readonly string[]>> = {
  // Search engines
  Google: [
    'Google-Agent',
    'Google-NotebookLM',
    'GoogleProducer',
    'Googlebot-Mobile',
    'AdsBot-Google-Mobile-Apps',
  ],
  Microsoft: ['adidxbot', 'BingPreview', 'MicrosoftPreview', 'msnbot', 'msnbot-media'],
  Yahoo: ['Slurp', 'Yahoo-MMCrawler', 'Yahoo-Blogs', 'YahooSeeker'],
  Yandex: [
    ...['YandexAccessibilityBot', 'YandexAdditional', 'YandexAdditionalBot', 'YandexBlogs', 'YandexCalendar'],
    ...['YandexDirect', 'YandexDirectDyn', 'YandexFavicons', 'YandexForDomain', 'YandexImageResizer'],
    ...['YandexImages', 'YandexMarket', 'YandexMedia', 'YandexMetrika', 'YandexMobileBot'],
    ...['YandexMobileScreenShotBot', 'YandexNews', 'YandexOntoDB', 'YandexOntoDBAPI', 'YandexPagechecker'],
    ...['YandexPartner', 'YandexRCA', 'YandexRenderResourcesBot', 'YandexScreenshotBot', 'YandexSearchShop'],
    ...['YandexSitelinks', 'YandexTracker', 'YandexVertis', 'YandexVerticals', 'YandexVideo'],
    ...['YandexVideoParser', 'YandexWebmaster', 'YaDirectFetcher'],
  ],
  Baidu: [
    ...['Baiduspider-image', 'Baiduspider-video', 'Baiduspider-news', 'Baiduspider-favo', 'Baiduspider-cpro'],
    ...['Baiduspider-ads', 'Baiduspider-mobile', 'Baiduspider-render'],
  ],
  DuckDuckGo: ['DuckDuckGo-Favicons-Bot'],
  Seznam: ['SeznamBot'],
  Huawei: ['PetalBot', 'AspiegelBot', 'PanguBot'],
  Sogou: ['Sogou'],
  Easou: ['EasouSpider'],
  Alibaba: ['YisouSpider'],
  Tencent: ['Sosospider'],
  NetEase: ['YodaoBot', 'YoudaoBot'],
  ByteDance: ['ToutiaoSpider', 'TikTokSpider'],
  Naver: ['Yeti', 'NaverBot'],
  Kakao: ['Daumoa', 'Daum'],
  'Cốc Cốc': ['coccocbot', 'coccocbot-web', 'coccocbot-image', 'coccocbot-ads'],
  Qwant: ['Qwantbot', 'Qwantify'],
  Mojeek: ['MojeekBot'],
  Brave: ['Bravebot'],
  Exalead: ['Exabot'],
  Ask: ['Teoma'],
  Seekport: ['SeekportBot', 'Seekbot'],
  Istella: ['IstellaBot'],
  Gigablast: ['Gigabot'],
  Picsearch: ['psbot'],
  Jooble: ['Jooblebot'],
  'Allen Institute for AI': ['SemanticScholarBot'],

  // Language models
  Anthropic: ['anthropic-ai', 'Claude-Web'],
  Perplexity: ['Perplexity-User'],
  Mistral: ['MistralAI-User'],
  Amazon: ['Amzn-SearchBot', 'Amzn-User', 'bedrockbot'],
  Meta: [
    ...['facebookexternalhit', 'facebookcatalog', 'FacebookBot', 'Facebot', 'meta-externalads'],
    ...['meta-externalfetcher', 'meta-webindexer'],
  ],
  Cohere: ['cohere-ai', 'cohere-training-data-crawler'],
  Diffbot: ['Diffbot'],
  Hive: ['ImagesiftBot'],
  Timpi: ['Timpibot'],
  'You.com': ['YouBot'],
  'Webz.io': ['omgili', 'omgilibot', 'Webzio-Extended', 'webzio'],
  NICT: ['ICC-Crawler'],
  Firecrawl: ['FirecrawlAgent'],
  FactSet: ['Factset_spyderbot'],
  'Velen.io': ['VelenPublicWebCrawler'],
  QuantumCloud: ['wpbot'],

  // Search engine optimisation and advertising
  Ahrefs: ['AhrefsBot', 'AhrefsSiteAudit'],
  Semrush: [
    ...['SemrushBot', 'SemrushBot-BA', 'SemrushBot-BM', 'SemrushBot-COUB', 'SemrushBot-CT', 'SemrushBot-FT'],
    ...[
      'SemrushBot-OCOB',
      'SemrushBot-SA',
      'SemrushBot-SI',
      'SemrushBot-SWA',
      'SiteAuditBot',
      'SplitSignalBot',
    ],
  ],
  Moz: ['DotBot', 'rogerbot'],
  WebMeUp: ['BLEXBot'],
  DataForSEO: ['DataForSeoBot'],
  Babbar: ['Barkrowler'],
  Serpstat: ['serpstatbot'],
  SEOkicks: ['SEOkicks', 'SEOkicks-Robot'],
  Linkdex: ['linkdexbot'],
  SISTRIX: ['sistrix'],
  OpenLinkProfiler: ['spbot'],
  Searchmetrics: ['SearchmetricsBot'],
  Xovi: ['XoviBot'],
  ZoomInfo: ['ZoominfoBot'],
  LinkPad: ['LinkpadBot'],
  Awario: ['AwarioBot', 'AwarioRssBot', 'AwarioSmartBot'],
  Turnitin: ['TurnitinBot'],
  Comscore: ['proximic'],
  Oracle: ['GrapeshotCrawler', 'grapeshot'],
  Criteo: ['CriteoBot'],
  Outbrain: ['outbrain'],
  Taboola: ['Taboolabot'],
  Brandwatch: ['magpie-crawler'],
  Jetslide: ['Jetbot'],

  // Link previews, feeds and site monitoring
  X: ['Twitterbot'],
  LinkedIn: ['LinkedInBot'],
  Pinterest: ['Pinterestbot', 'Pinterest'],
  Slack: ['Slackbot', 'Slackbot-LinkExpanding', 'Slack-ImgProxy'],
  Telegram: ['TelegramBot'],
  Discord: ['Discordbot'],
  Reddit: ['redditbot'],
  Quora: ['Quora-Bot'],
  Flipboard: ['Flipboard', 'FlipboardProxy', 'FlipboardRSS'],
  Embedly: ['Embedly'],
  Iframely: ['Iframely'],
  Tumblr: ['Tumblr'],
  VK: ['vkShare'],
  Feedly: ['Feedly'],
  Superfeedr: ['Superfeedr'],
  FeedBurner: ['FeedBurner'],
  'Paper.li': ['PaperLiBot'],
  UptimeRobot: ['UptimeRobot'],
  'Uptime.com': ['Uptimebot'],

  // Archives, and crawlers that anyone can run
  Alexa: ['ia_archiver'],
  'Internet Archive': ['heritrix', 'special_archiver'],
  Apache: ['Nutch'],
  YaCy: ['yacybot'],
  Zyte: ['Scrapy'],
  'University of Milan': ['BUbiNG'],
  HTTrack: ['HTTrack'],
};

/** All tokens of {@link TOKENS_BY_OPERATOR}. */
export const FURTHER_TOKENS: readonly string[] = /* @__PURE__ */ Object.values(TOKENS_BY_OPERATOR).flat();
