/**
 * Product tokens of crawlers that `CRAWLERS` does not contain, written from `crawlers/crawlers.json` by `npm run crawlers`. They are not
 * misspellings, and other names may be misspellings of them.
 *
 * The list omits names with a digit, a dot or a space (`MJ12bot`, `archive.org_bot`): parsers read only the beginning of these.
 *
 * @module
 */
const TOKENS = `
adidxbot AdsBot-Google-Mobile-Apps AhrefsBot AhrefsSiteAudit aiHitBot amazon-kendra amazon-QBusiness
AmazonBuyForMe Amzn-SearchBot Amzn-User Andibot anthropic-ai ApifyBot AspiegelBot atlassian-bot AwarioBot
AwarioRssBot AwarioSmartBot AzureAI-SearchBot Baiduspider-ads Baiduspider-cpro Baiduspider-favo
Baiduspider-image Baiduspider-mobile Baiduspider-news Baiduspider-render Baiduspider-video Barkrowler
bedrockbot BingPreview BingVideoPreview BLEXBot Bravebot Brightbot BUbiNG ChatGLM-Spider Claude-Code
Claude-Web Cloudflare-AutoRAG coccocbot coccocbot-ads coccocbot-image coccocbot-web cohere-ai
cohere-training-data-crawler Cotoyogi CriteoBot DataForSeoBot Daum Daumoa DeepSeekBot Diffbot Discordbot
DotBot DuckDuckGo-Favicons-Bot DuplexWeb-Google EasouSpider EchoboxBot Embedly Exabot FacebookBot
facebookcatalog facebookexternalhit Facebot Factset_spyderbot FeedBurner Feedly FirecrawlAgent Flipboard
FlipboardProxy FlipboardRSS Gemini-Deep-Research Gigabot Google-Agent Google-CWS Google-GeminiNotebook
Google-NotebookLM Google-Pinpoint GoogleAgent-Mariner Googlebot-Mobile GoogleMessages GoogleProducer
googleweblight grapeshot GrapeshotCrawler heritrix HTTrack ia_archiver iAskBot iaskspider ICC-Crawler Iframely
ImagesiftBot ISSCyberRiskCrawler IstellaBot iTMS Jetbot Jooblebot kagi-fetcher Kimi-User LAIONDownloader
LinerBot linkdexbot LinkedInBot LinkpadBot LinkupBot magpie-crawler Manus-User meta-externalads
meta-externalfetcher meta-webindexer MicrosoftPreview MistralAI-Index MistralAI-Training MistralAI-User
MojeekBot msnbot msnbot-media NaverBot NovaAct Nutch OAI-AdsBot omgili omgilibot outbrain PanguBot PaperLiBot
Perplexity-User PetalBot PhindBot Pinterest Pinterestbot proximic psbot QualifiedBot QuillBot Quora-Bot
Qwantbot Qwantify redditbot rogerbot SBIntuitionsBot Scrapy SearchmetricsBot Seekbot SeekportBot
SemanticScholarBot SemrushBot SemrushBot-BA SemrushBot-BM SemrushBot-COUB SemrushBot-CT SemrushBot-FT
SemrushBot-OCOB SemrushBot-SA SemrushBot-SI SemrushBot-SWA SEOkicks SEOkicks-Robot serpstatbot SeznamBot
Shap-User ShapBot sistrix SiteAuditBot Slack-ImgProxy Slackbot Slackbot-LinkExpanding Slurp Sogou Sosospider
spbot special_archiver SplitSignalBot Superfeedr Taboolabot TavilyBot TelegramBot Teoma TerraCotta Thinkbot
TikTokSpider Timpibot TongyiBot ToutiaoSpider Trae Tumblr TurnitinBot Twitterbot Uptimebot UptimeRobot
VelenPublicWebCrawler vkShare WARDBot webzio Webzio-Extended wpbot XoviBot yacybot YaDirectFetcher Yahoo-Blogs
Yahoo-MMCrawler YahooSeeker YandexAccessibilityBot YandexAdditional YandexAdditionalBot YandexAdNet
YandexBlogs YandexCalendar YandexDirect YandexDirectDyn YandexFavicons YandexForDomain YandexImageResizer
YandexImages YandexMarket YandexMedia YandexMetrika YandexMobileBot YandexMobileScreenShotBot YandexNews
YandexOntoDB YandexOntoDBAPI YandexPagechecker YandexPartner YandexRCA YandexRenderResourcesBot
YandexScreenshotBot YandexSearchShop YandexSitelinks YandexSpravBot YandexTracker YandexTurbo YandexVerticals
YandexVertis YandexVideo YandexVideoParser YandexWebmaster Yeti YisouSpider YiyanBot YodaoBot YouBot YoudaoBot
ZoominfoBot
`;

/** The tokens in alphabetical order. */
export const FURTHER_TOKENS: readonly string[] = /* @__PURE__ */ TOKENS.trim().split(/\s+/);

const AI = `
AI2Bot Ai2Bot-Dolma amazon-kendra amazon-QBusiness Amazonbot Amzn-SearchBot Amzn-User Andibot ApifyBot
Applebot atlassian-bot AzureAI-SearchBot bedrockbot Bravebot Brightbot Bytespider CCBot ChatGLM-Spider
ChatGPT-User Claude-SearchBot Claude-User ClaudeBot Cloudflare-AutoRAG cohere-ai cohere-training-data-crawler
Cotoyogi DeepSeekBot Diffbot DuckAssistBot EchoboxBot FacebookBot Factset_spyderbot FirecrawlAgent
Gemini-Deep-Research Google-CloudVertexBot Google-GeminiNotebook Google-NotebookLM GPTBot ICC-Crawler
img2dataset kagi-fetcher Kimi-User LAIONDownloader LinerBot LinkupBot meta-externalagent meta-externalfetcher
meta-webindexer MistralAI-Index MistralAI-Training MistralAI-User OAI-SearchBot omgili PanguBot
Perplexity-User PerplexityBot PetalBot PhindBot QualifiedBot SBIntuitionsBot Shap-User ShapBot TavilyBot
TerraCotta TikTokSpider Timpibot TongyiBot Webzio-Extended wpbot YandexAdditional YandexAdditionalBot YiyanBot
YouBot
`;

/** The tokens of crawlers that fetch pages to train AI models or for their answers, of `CRAWLERS` and others, in lower case. */
export const AI_TOKENS: ReadonlySet<string> = /* @__PURE__ */ new Set(AI.trim().toLowerCase().split(/\s+/));
