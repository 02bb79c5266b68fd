import { describe, expect, test } from 'vitest';
import { CRAWLERS } from '../../../src/crawler/catalogue.ts';
import { isProductToken } from '../../../src/crawler/crawler.ts';
import { FURTHER_TOKENS } from '../../../src/lint/known-tokens.ts';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/parse.ts';

/** Who is taken to be meant by a name, if somebody else is. */
function meantBy(name: string): string | undefined {
  const findings = lint(parse(`User-agent: ${name}\nDisallow: /x\n`));
  const message = findings.find(({ code }) => code === 'misspelt-agent')?.message;
  return message && /Is (\S+) meant\?$/.exec(message)?.[1];
}

describe('misspelt names', () => {
  test.each([
    ['Googelbot', 'Googlebot'],
    ['Google-bot', 'Googlebot'],
    ['googlebot_news', 'Googlebot-News'],
    ['GoogleExtended', 'Google-Extended'],
    ['Google-Extented', 'Google-Extended'],
    ['GTPBot', 'GPTBot'],
    ['GPT-Bot', 'GPTBot'],
    ['GPTBots', 'GPTBot'],
    ['OAI_SearchBot', 'OAI-SearchBot'],
    ['OAISearchBot', 'OAI-SearchBot'],
    ['ChatGTP-User', 'ChatGPT-User'],
    ['Chat-GPT-User', 'ChatGPT-User'],
    ['ClaudBot', 'ClaudeBot'],
    ['Claude-Bot', 'ClaudeBot'],
    ['Claude-SerachBot', 'Claude-SearchBot'],
    ['anthropicai', 'anthropic-ai'],
    ['CC-Bot', 'CCBot'],
    ['PerplexitiyBot', 'PerplexityBot'],
    ['Perplexity-Bot', 'PerplexityBot'],
    ['AppleBot-Extend', 'Applebot-Extended'],
    ['Byte-Spider', 'Bytespider'],
    ['ByteSpyder', 'Bytespider'],
    ['Amazon-bot', 'Amazonbot'],
    ['meta-external-agent', 'meta-externalagent'],
    ['MetaExternalAgent', 'meta-externalagent'],
    ['FacebookExternalHits', 'facebookexternalhit'],
    ['acebookexternalhit', 'facebookexternalhit'],
    ['DuckDuckGoBot', 'DuckDuckBot'],
    ['AhrefBot', 'AhrefsBot'],
    ['SEMRushBots', 'SemrushBot'],
    ['Linkedin-Bot', 'LinkedInBot'],
    ['ia-archiver', 'ia_archiver'],
  ])('%s: %s is meant', (name, meant) => {
    expect(meantBy(name)).toBe(meant);
  });

  test('the nearest name is meant, not the first', () => {
    // SemrushBot-CT comes first, but is two letters away.
    expect(FURTHER_TOKENS.indexOf('SemrushBot-CT')).toBeLessThan(FURTHER_TOKENS.indexOf('SemrushBot-SI'));
    expect(meantBy('SemrushBot-SIT')).toBe('SemrushBot-SI');
  });

  test('names that crawlers have are no misspellings of others', () => {
    const names = CRAWLERS.flatMap(({ tokens }) => tokens);
    for (const name of [...names, ...FURTHER_TOKENS]) expect(meantBy(name), name).toBeUndefined();
  });

  test.each([
    ...[
      'Alexibot',
      'ApifyBot',
      'AzureAI-SearchBot',
      'BoardReader',
      'careerbot',
      'Claude-Code',
      'Cliqzbot',
      'DeepSeekBot',
    ],
    ...[
      'factbot',
      'feedbot',
      'iAskBot',
      'LinerBot',
      'LinkupBot',
      'Manus-User',
      'msrbot',
      'NPBot',
      'PhindBot',
      'QuillBot',
    ],
    ...[
      'Roverbot',
      'Shap-User',
      'ShapBot',
      'sitebot',
      'TavilyBot',
      'Thinkbot',
      'WARDBot',
      'WebZip',
      'Wotbox',
      'Zenbot',
    ],
  ])('nor are names of which nothing is known, where they are short or far from others: %s', (name) => {
    expect(meantBy(name)).toBeUndefined();
  });
});

test('the further names are such as can be found, each once, and not in the catalogue', () => {
  const seen = new Set(CRAWLERS.flatMap(({ tokens }) => tokens).map((token) => token.toLowerCase()));
  for (const token of FURTHER_TOKENS) {
    expect(isProductToken(token), token).toBe(true);
    expect(seen.has(token.toLowerCase()), token).toBe(false);
    seen.add(token.toLowerCase());
  }
  expect(FURTHER_TOKENS.length).toBeGreaterThan(150);
});
