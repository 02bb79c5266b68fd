// Attributes of a tag of XML.
import { createXmlProblem, type XmlProblem } from './xml-handler.ts';
import { resolveXmlReferences } from './xml-references.ts';

const SPACES = /[ \t\r\n]*/y;
const ATTRIBUTE = /([^\s=/"'<>]+)[ \t\r\n]*=[ \t\r\n]*(?:"([^"]*)"|'([^']*)')/y;
/** What is skipped where there is no attribute: a name with its `=`, or one character. */
const SKIPPED = /[^\s=/"'<>]+[ \t\r\n]*=?|[\s\S]/y;

/**
 * Parses the attributes of a tag. Of several with one name the first counts.
 *
 * @param text - the tag without its name, as `onOpen` gets it.
 * @param onProblem - is called with each part that is not an attribute, and each reference that cannot be resolved.
 */
export function parseXmlAttributes(
  text: string,
  onProblem?: (problem: XmlProblem) => void,
): ReadonlyMap<string, string> {
  const attributes = new Map<string, string>();
  const onUnresolved =
    onProblem && ((reference: string) => onProblem(createXmlProblem('unresolved-reference', reference)));
  let at = 0;
  const take = (pattern: RegExp): RegExpExecArray | null => {
    pattern.lastIndex = at;
    const match = pattern.exec(text);
    if (match !== null) at = pattern.lastIndex;
    return match;
  };
  for (;;) {
    take(SPACES);
    if (at >= text.length) return attributes;
    const match = take(ATTRIBUTE);
    if (match === null) {
      const [skipped = ''] = take(SKIPPED) ?? [];
      onProblem?.(createXmlProblem('invalid-markup', skipped));
      continue;
    }
    const [, name = '', double, single] = match;
    const value = double ?? single ?? '';
    if (value.includes('<')) onProblem?.(createXmlProblem('invalid-markup', value));
    if (!attributes.has(name)) attributes.set(name, resolveXmlReferences(value, onUnresolved));
  }
}
