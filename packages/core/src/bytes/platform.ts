/**
 * The web-platform classes that the core uses: `URL`, `TextDecoder` and `TextEncoder`. They are typed here because the core compiles
 * without DOM and Node types. All supported runtimes (browsers, workers, Node, Deno, Bun) have them as globals.
 *
 * @module
 */

/** The parts of a parsed URL, as the class `URL` names and serializes them (URL Standard, section 6.1). */
export interface ParsedUrl {
  readonly href: string;
  readonly origin: string;
  readonly protocol: string;
  readonly username: string;
  readonly password: string;
  readonly host: string;
  readonly hostname: string;
  readonly port: string;
  readonly pathname: string;
  readonly search: string;
  readonly hash: string;
}

interface Platform {
  readonly URL: new (url: string, base?: string) => ParsedUrl;
  readonly TextDecoder: new (
    label: string,
    options: { fatal?: boolean; ignoreBOM?: boolean },
  ) => { decode(bytes: Uint8Array): string };
  readonly TextEncoder: new () => { encode(text: string): Uint8Array };
}

const platform: Platform = globalThis as unknown as Platform;

/** The `URL` class. Its constructor throws for an invalid URL. */
export const WebUrl: Platform['URL'] = platform.URL;

const decoder = /* @__PURE__ */ new platform.TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = /* @__PURE__ */ new platform.TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const encoder = /* @__PURE__ */ new platform.TextEncoder();

/** Encodes a string as UTF-8. A lone surrogate becomes U+FFFD. */
export function encodeUtf8(text: string): Uint8Array {
  return encoder.encode(text);
}

/** Decodes bytes `start` to `end` as UTF-8. Invalid sequences become U+FFFD; a byte order mark stays. */
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
