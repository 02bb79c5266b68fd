/**
 * `@maycrawl/core/internal`: what the packages of this workspace share: checks of options, truncation, blocks that vendors manage, the XML
 * scanner and the parser of sitemaps. It can change in every release, so do not import it elsewhere.
 *
 * @module
 */
export {
  checkOptions,
  checkRanges,
  findNearestName,
  type NumberRange,
  type OptionType,
  type OptionTypes,
  quoteValue,
  requireString,
  requireStrings,
} from './bytes/check-options.ts';
export { freezeDeep } from './bytes/freeze.ts';
export { isObject, isStringList, type JsonObject, parseObject } from './bytes/json-values.ts';
export { formatList } from './bytes/lists.ts';
export { readStart } from './bytes/read-start.ts';
export { truncate, truncateMiddle } from './bytes/truncate.ts';
export {
  findManagedBlocks,
  type ManagedBlock,
  readCommentTexts,
} from './preferences/robots-txt/managed-blocks.ts';
export { MAX_ENTRY_CHARS, type SitemapEntry, SitemapParser } from './xml/sitemap-parser.ts';
export { parseXmlAttributes } from './xml/xml-attributes.ts';
export type { XmlHandler, XmlProblem, XmlProblemCode } from './xml/xml-handler.ts';
export { XmlError, XmlScanner, type XmlScannerOptions } from './xml/xml-scanner.ts';
