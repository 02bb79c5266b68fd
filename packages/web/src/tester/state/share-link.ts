// The state as the fragment of a link, which browsers do not send to servers. A link may come from anyone: its size is bounded before
// and after decompression, and parts that are not valid are ignored.

import { findProfile } from '@maycrawl/core';
import { truncate } from '@maycrawl/core/internal';
import { parseUrl } from '@maycrawl/core/url';
import { decodeBase64, encodeBase64 } from '../../shared/base64.ts';
import { readAll } from '../../shared/requests/read-all.ts';
import { MAX_CRAWLERS, parseCrawler } from './crawlers.ts';
import { hasSources, isShareable, readSharedSources, type SourceTexts } from './declaration-sources.ts';
import { PANELS, type PageState } from './page-state.ts';
import {
  type Content,
  createTextFile,
  decodeFile,
  getContent,
  MAX_EDITED,
  type RobotsFile,
} from './robots-file.ts';
import { readSharedPreference, type SelectedPreference } from './selected-preference.ts';
import { addUrls } from './url-list.ts';

const PREFIX = '#v1.';
/** Characters of a link: browsers truncate or refuse longer ones. */
export const MAX_LINK = 1_500_000;
/** Bytes of a decompressed state. */
const MAX_UNPACKED = 16 * 1024 * 1024;

/** The state in a link, as JSON. A file that is not UTF-8 is `{ base64 }`. */
interface Shared {
  readonly file: Packed;
  readonly before?: { readonly name: string; readonly file: Packed } | undefined;
  readonly origin?: string | undefined;
  readonly urls: readonly string[];
  readonly crawlers: readonly string[];
  readonly profile: string;
  readonly selected?: readonly [number, number];
  /** @defaultValue the first one */
  readonly panel?: string | undefined;
  /** Sources of preferences, unless they are long. */
  readonly sources?: SourceTexts | undefined;
  /** @defaultValue that of a new page */
  readonly preference?: SelectedPreference | undefined;
}

type Packed = string | { readonly base64: string };

/** Whether a fragment has the prefix of a state. */
export function isFragment(fragment: string): boolean {
  return fragment.startsWith(PREFIX);
}

/** The fragment of a state, with its `#`; `null` if it is too long for a link. */
export async function toFragment(state: PageState): Promise<string | null> {
  const { file, baseline, origin, urls, crawlers, profile, selected, panel, sources, preference } = state;
  const content = getContent(file);
  const [packedFile, packedBaseline] = [pack(content), pack(baseline.content)];
  const isSame = JSON.stringify(packedFile) === JSON.stringify(packedBaseline);
  const shared: Shared = {
    file: packedFile,
    before: isSame ? undefined : { name: baseline.name, file: packedBaseline },
    origin: origin ?? undefined,
    urls,
    crawlers,
    profile,
    selected: [selected.row, selected.column],
    panel: panel === PANELS[0] ? undefined : panel,
    sources: hasSources(sources) && isShareable(sources) ? sources : undefined,
    preference: panel === 'preferences' ? preference : undefined,
  };
  const json = new TextEncoder().encode(JSON.stringify(shared));
  if (json.length > MAX_UNPACKED) return null;
  const packed = await readAll(through(json, new CompressionStream('deflate-raw')), MAX_LINK);
  const fragment =
    packed === null ? '' : PREFIX + encodeBase64(packed).replace(/[+/=]/g, (char) => TO_URL[char] ?? '');
  return packed === null || fragment.length > MAX_LINK ? null : fragment;
}

/** Parses a fragment. Missing parts are those of `initial`; `null` if the fragment is not valid. */
export async function fromFragment(fragment: string, initial: PageState): Promise<PageState | null> {
  if (!fragment.startsWith(PREFIX) || fragment.length > MAX_LINK) return null;
  try {
    const packed = decodeBase64(
      fragment.slice(PREFIX.length).replace(/[-_]/g, (char) => FROM_URL[char] ?? ''),
    );
    const json = await readAll(through(packed, new DecompressionStream('deflate-raw')), MAX_UNPACKED);
    return json === null ? null : readState(JSON.parse(new TextDecoder().decode(json)), initial);
  } catch {
    return null;
  }
}

/** Validates every part. */
function readState(shared: unknown, initial: PageState): PageState | null {
  if (!isRecord(shared)) return null;
  const file = unpack(shared['file']);
  if (file === null) return null;
  const before = isRecord(shared['before']) ? shared['before'] : {};
  const beforeFile = unpack(before['file']);
  const beforeName = typeof before['name'] === 'string' ? truncate(before['name'], 200) : 'the previous file';
  const urls = addUrls([], getTexts(shared['urls'])).urls;
  const names = getTexts(shared['crawlers']).slice(0, MAX_CRAWLERS).map(parseCrawler);
  const crawlers = [...new Set(names.filter((name) => name !== null))];
  const profile = String(shared['profile']);
  const [row, column] = Array.isArray(shared['selected']) ? shared['selected'].map(Number) : [];
  return {
    ...initial,
    file,
    baseline:
      beforeFile === null
        ? { name: 'the shared file', content: getContent(file) }
        : { name: beforeName, content: getContent(beforeFile) },
    origin: parseOrigin(shared['origin']),
    urls,
    hasOwnUrls: true,
    crawlers,
    profile: findProfile(profile) === undefined ? initial.profile : profile,
    selected: { row: clampIndex(row, urls.length), column: clampIndex(column, crawlers.length) },
    panel: PANELS.find((each) => each === shared['panel']) ?? initial.panel,
    sources: readSharedSources(shared['sources']),
    preference: readSharedPreference(shared['preference']),
  };
}

function parseOrigin(value: unknown): string | null {
  if (typeof value !== 'string' || value.length > 1000) return null;
  const url = parseUrl(value);
  return url?.protocol === 'http:' || url?.protocol === 'https:' ? url.origin : null;
}

function clampIndex(index: unknown, length: number): number {
  return Number.isInteger(index) ? Math.max(0, Math.min(index as number, length - 1)) : 0;
}

function getTexts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : [];
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}

function pack(content: Content): Packed {
  if (typeof content === 'string') return content;
  const text = toText(content);
  const again = new TextEncoder().encode(text);
  const isWhole = again.length === content.length && again.every((byte, at) => byte === content[at]);
  return isWhole ? text : { base64: encodeBase64(content) };
}

function unpack(packed: unknown): RobotsFile | null {
  if (typeof packed === 'string') {
    if (packed.length > MAX_EDITED) return null;
    // Line ends stay as they are until the first edit.
    return packed.includes('\r') ? decodeFile(new TextEncoder().encode(packed)) : createTextFile(packed);
  }
  if (!isRecord(packed) || typeof packed['base64'] !== 'string') return null;
  return decodeFile(decodeBase64(packed['base64']));
}

function toText(content: Content): string {
  return typeof content === 'string'
    ? content
    : new TextDecoder('utf-8', { ignoreBOM: true }).decode(content);
}

const TO_URL: Readonly<Record<string, string>> = { '+': '-', '/': '_', '=': '' };
const FROM_URL: Readonly<Record<string, string>> = { '-': '+', _: '/' };

function through(
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): ReadableStream<Uint8Array> {
  return new Blob([bytes]).stream().pipeThrough(stream);
}
