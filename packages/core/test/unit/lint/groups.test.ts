import { describe, expect, test } from 'vitest';
import { CRAWLERS } from '../../../src/crawler/catalogue.ts';
import { FURTHER_TOKENS } from '../../../src/crawler/catalogue-data.ts';
import { lint } from '../../../src/lint.ts';
import { parse } from '../../../src/model/robots-txt.ts';

/** Returns the name that the linter suggests instead of `name`. */
function findSuggestion(name: string): string | undefined {
  const findings = lint(parse(`User-agent: ${name}\nDisallow: /x\n`));
  const message = findings.find(({ code }) => code === 'misspelled-user-agent')?.message;
  return message && /Did you mean (\S+)\?$/.exec(message)?.[1];
}

describe('misspelled names', () => {
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
  ])('%s: the suggestion is %s', (name, suggestion) => {
    expect(findSuggestion(name)).toBe(suggestion);
  });

  test('the suggestion is the nearest name, not the first one within the distance', () => {
    // SemrushBot-CT comes first, but has a distance of 2.
    expect(FURTHER_TOKENS.indexOf('SemrushBot-CT')).toBeLessThan(FURTHER_TOKENS.indexOf('SemrushBot-SI'));
    expect(findSuggestion('SemrushBot-SIT')).toBe('SemrushBot-SI');
  });

  test('known names are not misspellings of others', () => {
    const names = CRAWLERS.flatMap(({ tokens }) => tokens);
    for (const name of [...names, ...FURTHER_TOKENS]) expect(findSuggestion(name), name).toBeUndefined();
  });

  test.each([
    ...['Alexibot', 'ApifyBot', 'AzureAI-SearchBot', 'BoardReader'],
    ...['careerbot', 'Claude-Code', 'Cliqzbot', 'DeepSeekBot'],
    ...['factbot', 'feedbot', 'iAskBot', 'LinerBot', 'LinkupBot'],
    ...['Manus-User', 'msrbot', 'NPBot', 'PhindBot', 'QuillBot'],
    ...['Roverbot', 'Shap-User', 'ShapBot', 'sitebot', 'TavilyBot'],
    ...['Thinkbot', 'WARDBot', 'WebZip', 'Wotbox', 'Zenbot'],
  ])('an unknown name that is short or distant from others is not a misspelling: %s', (name) => {
    expect(findSuggestion(name)).toBeUndefined();
  });
});

test('the further tokens are unique, and not in the catalogue', () => {
  const seen = new Set(CRAWLERS.flatMap(({ tokens }) => tokens).map((token) => token.toLowerCase()));
  for (const token of FURTHER_TOKENS) {
    expect(seen.has(token.toLowerCase()), token).toBe(false);
    seen.add(token.toLowerCase());
  }
  expect(FURTHER_TOKENS.length).toBeGreaterThan(150);
});
