// References in texts and attributes of XML. Only the five entities of XML and characters are resolved, so that no entity expands.

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const REFERENCE = /&(?:#(\d{1,7})|#x([\da-fA-F]{1,6})|([A-Za-z_:][\w:.-]{0,99}));/g;

/**
 * Resolves references to the five entities of XML and to characters. Others stay as written; one to no character is U+FFFD.
 *
 * @param onUnresolved - is called with each reference to an unknown entity or to no character.
 */
export function resolveXmlReferences(text: string, onUnresolved?: (reference: string) => void): string {
  if (!text.includes('&')) return text;
  return text.replace(
    REFERENCE,
    (reference: string, decimal: string | undefined, hex: string | undefined, name: string | undefined) => {
      if (name !== undefined) {
        const character = Object.hasOwn(ENTITIES, name) ? ENTITIES[name] : undefined;
        if (character === undefined) onUnresolved?.(reference);
        return character ?? reference;
      }
      const code = Number.parseInt((decimal ?? hex) as string, decimal === undefined ? 16 : 10);
      if (code > 0 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)) return String.fromCodePoint(code);
      onUnresolved?.(reference);
      return '\ufffd';
    },
  );
}
