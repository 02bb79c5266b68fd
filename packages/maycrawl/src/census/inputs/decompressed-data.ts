// The data of an input that may be compressed, without its pieces.
import { decompress } from '../archive/decompress.ts';
import type { InputTotals } from '../input-totals.ts';

/** Decompresses an input. Its problems are those of the totals. */
export async function* readData(
  input: AsyncIterable<Uint8Array>,
  totals: InputTotals,
): AsyncGenerator<Uint8Array> {
  for await (const piece of decompress(input)) {
    if ('problem' in piece) totals.addProblem(piece.problem);
    else {
      totals.dataBytes += piece.data.length;
      yield piece.data;
    }
  }
}
