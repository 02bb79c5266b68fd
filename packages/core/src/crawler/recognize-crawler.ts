// Recognition of crawlers by User-Agent headers (RFC 9110 section 10.1.5). The header does not authenticate the crawler: any client can
// send it.
import { requireString } from '../bytes/check-options.ts';
import { freezeDeep } from '../bytes/freeze.ts';
import { CRAWLERS } from './catalogue.ts';
import { FURTHER_TOKENS } from './catalogue-data.ts';
import { type Crawler, createCrawler, isAgentToken } from './crawler.ts';

/** A crawler, and its name in User-Agent headers; `null` if no request has it. */
export interface RecognizableCrawler extends Crawler {
  readonly header: string | null;
}

/** The name of a crawler in headers: a word, or else several of them with spaces around each. In lower case. */
interface HeaderName {
  readonly crawler: RecognizableCrawler;
  readonly word: string | undefined;
  readonly phrase: string;
}

/** No crawlers besides those of the catalogue. */
const NONE: readonly RecognizableCrawler[] = [];

/** The names of lists of crawlers and of the catalogue, so that each is prepared once. */
const preparedNames: WeakMap<readonly RecognizableCrawler[], readonly HeaderName[]> =
  /* @__PURE__ */ new WeakMap();

/** Returns the names of crawlers and of the catalogue with those that it only names. The longest come first, then the first in the list. */
function prepareNames(crawlers: readonly RecognizableCrawler[]): readonly HeaderName[] {
  const further = freezeDeep(FURTHER_TOKENS.map((token) => ({ ...createCrawler(token), header: token })));
  return [...crawlers, ...CRAWLERS, ...further]
    .flatMap((crawler): HeaderName[] => {
      const { header } = crawler;
      if (!header) return [];
      const word = isAgentToken(header) ? header.toLowerCase() : undefined;
      return [{ crawler, word, phrase: joinWords(splitWords(header)) }];
    })
    .sort((a, b) => getLength(b) - getLength(a));
}

function getLength({ crawler }: HeaderName): number {
  return crawler.header?.length ?? 0;
}

/**
 * Recognises a crawler by a User-Agent header, such as
 * `Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)`. Names are matched as whole words, regardless of case. The
 * longest name wins, then the first crawler of the list.
 *
 * @param userAgent - the value of the header.
 * @param crawlers - crawlers that are searched before those of the catalogue and the others that `@maycrawl/core/crawlers` documents. The list
 *   must not change later.
 * @returns `undefined` if the header contains no name of these crawlers.
 */
export function recognizeCrawler(
  userAgent: string,
  crawlers: readonly RecognizableCrawler[] = NONE,
): RecognizableCrawler | undefined {
  requireString('a User-Agent header', userAgent);
  const words = splitWords(userAgent);
  const known = new Set(words);
  const text = joinWords(words);
  const list = crawlers.length === 0 ? NONE : crawlers;
  const names = preparedNames.get(list) ?? prepareNames(list);
  preparedNames.set(list, names);
  return names.find(({ word, phrase }) => (word === undefined ? text.includes(phrase) : known.has(word)))
    ?.crawler;
}

/**
 * Splits a header into words in lower case: runs of the characters of extended tokens. A period at the beginning or end of a word does
 * not belong to it. URLs and e-mail addresses are removed, because they can contain names.
 */
function splitWords(header: string): string[] {
  return header
    .toLowerCase()
    .split(/[\s;,()<>"']+/)
    .flatMap((part) => removeAddress(part).split(/[^a-z0-9._-]+/))
    .map(removePeriods)
    .filter((word) => word !== '');
}

/** Removes a URL, the path after a host name (`example.com/path`) and an e-mail address from a part of a header without spaces. */
function removeAddress(part: string): string {
  if (part.includes('@')) return '';
  const [text = ''] = part.split('//', 1);
  const [host = ''] = text.split(/[/?#]/, 1);
  return isHostName(host.replace(/^[^a-z0-9]+|:\d*$/g, '')) ? host : text;
}

/** Whether a text is a host name of several labels. That of an extended token such as `archive.org_bot` or `a.1` is none. */
function isHostName(text: string): boolean {
  const labels = text.split('.');
  return (
    labels.length > 1 &&
    labels.every((label) => /^[a-z0-9-]+$/.test(label)) &&
    !/\d/.test(labels.at(-1) ?? '')
  );
}

function removePeriods(word: string): string {
  let start = 0;
  let end = word.length;
  while (word[start] === '.') start++;
  while (end > start && word[end - 1] === '.') end--;
  return word.slice(start, end);
}

/** Joins words so that a sequence of words is found as a part of another one. No word contains a space. */
function joinWords(words: readonly string[]): string {
  return ` ${words.join(' ')} `;
}

/** Names of browsers, engines and platforms, which crawlers have in their headers for compatibility, in lower case. */
const COMPATIBILITY_TOKENS: ReadonlySet<string> = /* @__PURE__ */ new Set(
  (
    'mozilla opera opr opios presto dalvik applewebkit webkit khtml gecko like chrome chromium headlesschrome crios edg edge edga ' +
    'edgios firefox fxios seamonkey safari mobile version msie trident konqueror silk samsungbrowser ucbrowser vivaldi yabrowser ' +
    'compatible windows linux android macintosh iphone ipad ipod x11 cros u'
  ).split(' '),
);

/**
 * Finds the name of a crawler that is not in a list: the name after `compatible`, or else the product token at the start of the
 * header.
 *
 * @returns `undefined` if there is no such name, or if it is one of a browser, engine or platform.
 */
export function findHeaderToken(userAgent: string): string | undefined {
  // Without a version or comment, words are a text rather than a header.
  const isHeader = /[/(]/.test(userAgent);
  for (const [index, part] of userAgent.split(/\bcompatible\b/i).entries()) {
    const start = getSeparatorLength(part);
    const isNamed = index > 0 && start > 0 && (isHeader || /[;,:]/.test(part.slice(0, start)));
    const name = isNamed ? readName(part, start) : undefined;
    if (name !== undefined && /[a-z]/i.test(name)) return name;
  }
  return isHeader ? readName(userAgent, 0) : undefined;
}

/** Length of the punctuation between `compatible` and a name. */
function getSeparatorLength(text: string): number {
  let length = 0;
  while (length < text.length && ' ;,:'.includes(text[length] as string)) length++;
  return length;
}

/** Reads the name that starts at a position, and ends at the end of the text, or before a space or a delimiter. */
function readName(text: string, start: number): string | undefined {
  let end = start;
  while (end < text.length && isAgentToken(text[end] as string)) end++;
  const name = removePeriods(text.slice(start, end));
  // A scheme begins a URL.
  const isWhole =
    end === text.length || (' /;,:()'.includes(text[end] as string) && !text.startsWith('://', end));
  return isWhole && /[a-z\d]/i.test(name) && !isCompatibilityToken(name) ? name : undefined;
}

/** Whether a name is one of a browser, engine or platform, also with a version that no slash separates: `Mozilla-5.0`. */
function isCompatibilityToken(name: string): boolean {
  const token = name.toLowerCase();
  let end = token.length;
  while (end > 0 && '0123456789._-'.includes(token[end - 1] as string)) end--;
  return COMPATIBILITY_TOKENS.has(token) || COMPATIBILITY_TOKENS.has(token.slice(0, end));
}
