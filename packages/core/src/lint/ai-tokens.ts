// Crawlers that fetch pages for AI, written from `crawlers/crawlers.json` by `npm run crawlers`.
const TOKENS = `
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

/** The tokens of crawlers that fetch pages to train AI models or for their answers, in lower case. */
export const AI_TOKENS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  TOKENS.trim().toLowerCase().split(/\s+/),
);
