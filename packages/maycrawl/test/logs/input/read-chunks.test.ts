import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { readChunks, readFileChunks } from '../../../src/files/read-chunks.ts';

const folder = mkdtempSync(join(tmpdir(), 'maycrawl-chunks-'));
const path = join(folder, 'file');
const bytes = Buffer.from(Array.from({ length: 300_001 }, (_, index) => index % 251));
writeFileSync(path, bytes);
afterAll(() => rmSync(folder, { recursive: true }));

async function readAll(chunks: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const copies: Buffer[] = [];
  for await (const chunk of chunks) copies.push(Buffer.from(chunk));
  return Buffer.concat(copies);
}

test('the chunks of a file are its bytes, in one buffer', async () => {
  expect((await readAll(readFileChunks(path))).equals(bytes)).toBe(true);
  const buffers = new Set<ArrayBufferLike>();
  for await (const { buffer } of readFileChunks(path)) buffers.add(buffer);
  expect(buffers.size).toBe(1);
});

test.each([
  [0, 10],
  [5, 200_000],
  [200_000, 400_000],
  [131_072, 131_073],
  [7, 7],
])('reads the bytes from %i to %i', async (from, to) => {
  const handle = await open(path);
  expect((await readAll(readChunks(handle, { from, to }))).equals(bytes.subarray(from, to))).toBe(true);
  await handle.close();
});

test('stops when the signal aborts', async () => {
  const handle = await open(path);
  const controller = new AbortController();
  const chunks = readChunks(handle, { signal: controller.signal });
  await chunks.next();
  controller.abort(new Error('stopped'));
  await expect(chunks.next()).rejects.toThrow('stopped');
  await handle.close();
});
