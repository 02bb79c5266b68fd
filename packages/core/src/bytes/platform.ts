/**
 * The three web-platform classes that core uses, typed here because core compiles without DOM and Node types.
 * Every runtime that maycrawl supports (browsers, workers, Node, Deno, Bun) has them as globals.
 *
 * @module
 */

/** What core reads of a parsed URL (WHATWG URL Standard, section 6.1). */
export interface ParsedUrl {
  readonly href: string;
  readonly protocol: string;
  readonly origin: string;
}

interface Platform {
  readonly URL: new (url: string) => ParsedUrl;
  readonly TextDecoder: new (
    label: string,
    options: { fatal?: boolean; ignoreBOM?: boolean },
  ) => { decode(bytes: Uint8Array): string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
}

const platform: Platform = globalThis as unknown as Platform;

/** The WHATWG URL parser; throws for a string that is no absolute URL. */
export const WebUrl: Platform['URL'] = platform.URL;

const decoder = /* @__PURE__ */ new platform.TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = /* @__PURE__ */ new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new platform.TextEncoder();

/** UTF-8 bytes of a string; a lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** The text of bytes `start` to `end`; what is not UTF-8 becomes U+FFFD, a byte order mark is kept. */
export function decodeUtf8(bytes: Uint8Array, start: number, end: number): string {
  return decoder.decode(bytes.subarray(start, end));
}

/** Whether bytes `start` to `end` are well-formed UTF-8. */
export function isUtf8(bytes: Uint8Array, start: number, end: number): boolean {
  try {
    strictDecoder.decode(bytes.subarray(start, end));
    return true;
  } catch {
    return false;
  }
}
