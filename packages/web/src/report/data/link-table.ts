/**
 * All links of the report, by page and by URL. They are parsed when the first list of links is shown: the report opens faster without.
 *
 * @module
 */
import type { PackedLinks } from 'maycrawl/api';

/** A link between two rows. */
export interface Link {
  readonly from: number;
  readonly to: number;
  /** The sum of its types (LINK_TYPES). */
  readonly types: number;
  /** The index of its texts. */
  readonly text: number;
}

/** Reads the links of the report. */
export class LinkTable {
  #pieces: readonly string[];
  #links: readonly Link[] | undefined;
  #byTarget: ReadonlyMap<number, readonly Link[]> | undefined;
  #bySource: ReadonlyMap<number, readonly Link[]> | undefined;

  /** @param pieces - JSON of lists of PackedLinks. */
  constructor(pieces: readonly string[]) {
    this.#pieces = pieces;
  }

  /** The links to a row. */
  getLinksTo(row: number): readonly Link[] {
    this.#byTarget ??= groupLinks(this.#getAll(), ({ to }) => to);
    return this.#byTarget.get(row) ?? [];
  }

  /** The links of a row. */
  getLinksFrom(row: number): readonly Link[] {
    this.#bySource ??= groupLinks(this.#getAll(), ({ from }) => from);
    return this.#bySource.get(row) ?? [];
  }

  #getAll(): readonly Link[] {
    this.#links ??= this.#pieces.flatMap((piece) =>
      (JSON.parse(piece) as PackedLinks[]).flatMap(unpackLinks),
    );
    this.#pieces = [];
    return this.#links;
  }
}

function unpackLinks([from = 0, ...cells]: PackedLinks): Link[] {
  let to = 0;
  return Array.from({ length: cells.length / 3 }, (_, link) => {
    to += cells[3 * link] as number;
    return { from, to, types: cells[3 * link + 1] as number, text: cells[3 * link + 2] as number };
  });
}

function groupLinks(links: readonly Link[], getRow: (link: Link) => number): Map<number, Link[]> {
  const groups = new Map<number, Link[]>();
  for (const link of links) {
    const group = groups.get(getRow(link));
    if (group === undefined) groups.set(getRow(link), [link]);
    else group.push(link);
  }
  return groups;
}
