// Reads lists in YAML that others may have written.
import { runWithoutStacks } from '../lines/without-stacks.ts';

/** A text has no more aliases. */
export const MAX_ALIASES = 100;

/** Makes the error that is thrown of what is wrong with a text. */
export type Wrong = (what: string, cause?: unknown) => Error;

/**
 * Reads a list of mappings in YAML, in time that grows with its length.
 *
 * @param item - what an entry of the list is, for messages.
 * @throws what `wrong` makes, if the text is no YAML, exceeds the limits, or has a key twice.
 */
export async function readYaml(text: string, item: string, wrong: Wrong): Promise<unknown> {
  // Loaded late: most commands read none.
  const [{ isMap, isSeq, LineCounter, parseDocument }, { findExcess }] = await Promise.all([
    import('yaml'),
    import('./yaml-limits.ts'),
  ]);
  const excess = findExcess(text);
  if (excess !== undefined) throw wrong(`it has ${excess}`);
  // The package compares each key with each other one. Those of an entry are few, or else one of them is refused.
  // And it would describe each error with its line, where there may be one in each.
  const lineCounter = new LineCounter();
  const options = { uniqueKeys: false, prettyErrors: false, lineCounter, logLevel: 'error' } as const;
  const document = runWithoutStacks(() => parseDocument(text, options));
  const [error] = document.errors;
  if (error !== undefined) {
    const { line, col } = lineCounter.linePos(error.pos[0]);
    throw wrong(`${error.message.split('\n')[0]} at line ${line}, column ${col}`, error);
  }
  const entries = isSeq(document.contents) ? document.contents.items : [];
  for (const [index, entry] of entries.entries()) {
    if (!isMap(entry)) continue;
    const keys = new Set<string>();
    for (const { key } of entry.items) {
      const name = String(key);
      if (keys.has(name)) throw wrong(`${item} ${index + 1} has "${name}" twice`);
      keys.add(name);
    }
  }
  try {
    return document.toJS({ maxAliasCount: MAX_ALIASES });
  } catch (cause) {
    throw wrong((cause as Error).message.split('\n')[0] ?? '', cause);
  }
}
