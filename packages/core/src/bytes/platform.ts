// The globals of the web platform that the core uses. They are typed here because the core compiles without DOM and Node types. All
// supported runtimes (browsers, workers, Node, Deno, Bun) have them; only WebAssembly may be missing or forbidden.

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
  readonly TextEncoder: new () => {
    encode(text: string): Uint8Array;
    encodeInto(text: string, bytes: Uint8Array): unknown;
  };
  readonly atob: (base64: string) => string;
  readonly WebAssembly?: {
    readonly Module: new (code: Uint8Array) => object;
    readonly Instance: new (module: object) => { readonly exports: object };
  };
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

/** Encodes a string at the start of `bytes`, which must be large enough. */
export function encodeUtf8Into(text: string, bytes: Uint8Array): void {
  encoder.encodeInto(text, bytes);
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

/**
 * Compiles WebAssembly code and creates an instance.
 *
 * @param code - in base64.
 * @returns the exports; `undefined` if the runtime does not allow compilation (a content security policy, for example) or does not
 *   support the instructions.
 */
export function instantiateWebAssembly(code: string): object | undefined {
  try {
    const { WebAssembly } = platform;
    if (WebAssembly === undefined) return undefined;
    const bytes = Uint8Array.from(platform.atob(code), (character) => character.charCodeAt(0));
    return new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports;
  } catch {
    return undefined;
  }
}
