import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readBlocks, splitLines } from '../../src/lines/line-reader.ts';

const MAX_BYTES = 5;

/** The lines of a text; `undefined` stands for one that is too long. */
function splitNaively(text: string): (string | undefined)[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => (line.length > MAX_BYTES ? undefined : line));
}

async function read(chunks: readonly string[]): Promise<{ lines: (string | undefined)[]; skipped: number }> {
  const lines: (string | undefined)[] = [];
  let skipped = 0;
  const stream = async function* (): AsyncGenerator<Buffer> {
    for (const chunk of chunks) yield Buffer.from(chunk);
  };
  for await (const block of readBlocks(stream(), MAX_BYTES, (bytes) => (skipped += bytes))) {
    if (block === undefined) lines.push(undefined);
    else for (const line of splitLines(block)) lines.push(line.toString());
    // The reader of a block may hand its memory to another thread.
    block?.fill('!');
  }
  return { lines, skipped };
}

test('the lines do not depend on the chunks', async () => {
  const chunk = fc.array(fc.constantFrom('a', 'bc', 'defghi', '\n', '\n'), { maxLength: 8 });
  let tooLong = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(chunk, { maxLength: 5 }), async (parts) => {
      const chunks = parts.map((each) => each.join(''));
      const expected = splitNaively(chunks.join(''));
      const { lines, skipped } = await read(chunks);
      expect(lines).toEqual(expected);
      expect(await read([chunks.join('')])).toEqual({ lines, skipped });
      if (lines.includes(undefined)) tooLong++;
    }),
    { numRuns: 2_000 },
  );
  expect(tooLong).toBeGreaterThan(500);
});

test('a byte order mark is skipped at the start only', async () => {
  expect(await read(['\ufeffab\n\ufeff\n'])).toEqual({ lines: ['ab', '\ufeff'], skipped: 3 });
});
