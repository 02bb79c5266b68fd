/**
 * `@maycrawl/core/xml`: the scanner that sitemaps, feeds and RSL documents are read with. It is for the packages of this workspace.
 *
 * @module
 */
export { parseXmlAttributes } from './xml/xml-attributes.ts';
export type { XmlHandler, XmlProblem, XmlProblemCode } from './xml/xml-handler.ts';
export { XmlError, XmlScanner, type XmlScannerOptions } from './xml/xml-scanner.ts';
