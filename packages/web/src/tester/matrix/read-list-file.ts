// A list of URLs, or a sitemap, from a file that may be compressed.
import { readAll } from '../../shared/requests/read-all.ts';
import { readUrlList, type UrlList } from '../state/url-list.ts';

/** A sitemap has at most 50 MiB (sitemaps.org); a list may be as long. */
const MAX_BYTES = 50 * 1024 * 1024;
const TOO_LARGE: UrlList = { urls: [], notice: 'The file is larger than 50 MiB.' };

/** Reads a file. The decompressed length is bounded. */
export async function readListFile(file: Blob): Promise<UrlList> {
  if (file.size > MAX_BYTES) return TOO_LARGE;
  const start = new Uint8Array(await file.slice(0, 2).arrayBuffer());
  if (start[0] !== 0x1f || start[1] !== 0x8b) return readUrlList(await file.text());
  try {
    const bytes = await readAll(file.stream().pipeThrough(new DecompressionStream('gzip')), MAX_BYTES);
    return bytes === null ? TOO_LARGE : readUrlList(new TextDecoder().decode(bytes));
  } catch {
    return { urls: [], notice: 'The file cannot be decompressed.' };
  }
}
