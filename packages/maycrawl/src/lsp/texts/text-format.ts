// Text with a little markup, as Markdown or as plain text, whichever the client displays. Whatever comes from a file is only ever text: it
// cannot become a link, an image, HTML or other markup (CommonMark 0.31.2, section 2.4, "Backslash escapes"; GitHub's extended links).
import { truncate } from '@maycrawl/core/internal';
import type { MarkupContent, MarkupKind } from 'vscode-languageserver';
import { visible } from '../../text/printable.ts';
import { toPlainText } from '../../text/rule-help.ts';

/** Text from files is truncated to this length. */
const MAX_QUOTED = 300;

/** How texts are marked up. The arguments of all functions are not escaped. */
export interface TextFormat {
  readonly kind: MarkupKind;
  readonly text: (text: string) => string;
  readonly strong: (text: string) => string;
  readonly code: (text: string) => string;
  /** A link. @param url - of the catalogue, not of a file. */
  readonly link: (url: string) => string;
  /** Markdown of this project's own documentation. */
  readonly documentation: (markdown: string) => string;
}

const limit = (text: string): string => visible(truncate(text, MAX_QUOTED));

/** Characters that can be a part of markup: a backslash makes them ordinary text. */
const MARKUP = /[\\`*_[\]<>#&~|!@$^{}]/g;
/** What GitHub's Markdown makes a link without markup, and what starts a list or a heading where a line begins. */
const LINKS = /:(?=\/\/)|(?<=www)\.|^[-+=]|(?<=^\d{1,9})[.)]/gi;

// White space at the start could make the text a block of code, or the text after it a list.
const escapeMarkdown = (text: string): string =>
  limit(text).trimStart().replace(MARKUP, '\\$&').replace(LINKS, '\\$&');

const MARKDOWN: TextFormat = {
  kind: 'markdown',
  text: escapeMarkdown,
  strong: (text) => `**${escapeMarkdown(text)}**`,
  code: (text) => formatCode(limit(text)),
  link: (url) => `<${url}>`,
  documentation: (markdown) => markdown,
};

const PLAIN_TEXT: TextFormat = {
  kind: 'plaintext',
  text: limit,
  strong: limit,
  code: (text) => `"${limit(text)}"`,
  link: (url) => url,
  documentation: toPlainText,
};

/** Selects the first format of a client's list that exists. Without a list it is plain text, the default of the protocol. */
export function selectFormat(kinds: readonly string[] = []): TextFormat {
  return kinds.find((kind) => kind === 'markdown' || kind === 'plaintext') === 'markdown'
    ? MARKDOWN
    : PLAIN_TEXT;
}

/** Joins paragraphs. */
export function toMarkup(format: TextFormat, paragraphs: readonly string[]): MarkupContent {
  return { kind: format.kind, value: paragraphs.join('\n\n') };
}

/** Formats a list. */
export function formatList(items: readonly string[]): string {
  return items.map((item) => `- ${item}`).join('\n');
}

/** A code span, in which nothing is markup. Its fence is longer than any run of backticks in the text. */
function formatCode(text: string): string {
  if (text === '') return '``  ``';
  const longest = Math.max(0, ...Array.from(text.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  // One space at each end is not displayed, unless there are only spaces.
  const isSpaced = text.startsWith(' ') && text.endsWith(' ') && text.trim() !== '';
  const isPadded = isSpaced || text.startsWith('`') || text.endsWith('`');
  return isPadded ? `${fence} ${text} ${fence}` : `${fence}${text}${fence}`;
}
