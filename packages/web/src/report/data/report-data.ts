/**
 * The data of the report: read once from the elements that hold it. A URL goes by its place in the order of the alphabet.
 *
 * @module
 */
import { type Head, STATES, type State, type Verdict } from './head.ts';

/** Where something leads: the place of a URL, or the URL if it is not in the report. */
export type Target = number | string;

/** A statement of a canonical that counts for nothing. */
export type Ignored = readonly [from: string, href: string, why: string];

/** What a page names as its canonical. */
export interface Canonical {
  readonly kind: 'self' | 'other' | 'conflict';
  readonly from: readonly string[];
  readonly targets: readonly Target[];
}

type Cell = string | number | null | undefined | readonly Cell[];
/** The places of cells in a row, after the shared start and the rest of the URL (packages/maycrawl/src/audit/report/html/html-rows.ts). */
const AT = {
  ...{
    state: 2,
    depth: 3,
    verdict: 4,
    status: 5,
    milliseconds: 6,
    bytes: 7,
    type: 8,
    title: 9,
    redirect: 10,
  },
  ...{ canonical: 11, sitemaps: 12, links: 13, sources: 14, digest: 15, note: 16, start: 17, ignored: 18 },
} as const;
const KINDS = ['absent', 'self', 'other', 'conflict'] as const;

/** Reads what is not there as -1, so that it can be in an array of numbers. */
export const NONE = -1;

/** All URLs. */
export class ReportData {
  readonly head: Head;
  readonly urls: readonly string[];
  readonly verdicts: Int32Array;
  readonly statuses: Int16Array;
  readonly depths: Int32Array;
  readonly milliseconds: Int32Array;
  readonly links: Int32Array;
  readonly states: Uint8Array;
  readonly digests: Int32Array;
  readonly #rows: readonly (readonly Cell[])[];
  #texts: readonly string[] | undefined;

  constructor(head: Head, rows: readonly (readonly Cell[])[]) {
    this.head = head;
    this.#rows = rows;
    let previous = '';
    this.urls = rows.map(([shared, rest]) => {
      previous = previous.slice(0, shared as number) + (rest as string);
      return previous;
    });
    const column = <A extends Int32Array | Int16Array | Uint8Array>(
      array: A,
      at: number,
      none: number,
    ): A => {
      for (const [place, row] of rows.entries())
        array[place] = (row[at] as number | null | undefined) ?? none;
      return array;
    };
    const { length } = rows;
    this.verdicts = column(new Int32Array(length), AT.verdict, NONE);
    this.statuses = column(new Int16Array(length), AT.status, NONE);
    this.depths = column(new Int32Array(length), AT.depth, NONE);
    this.milliseconds = column(new Int32Array(length), AT.milliseconds, NONE);
    this.links = column(new Int32Array(length), AT.links, 0);
    this.states = column(new Uint8Array(length), AT.state, 0);
    this.digests = column(new Int32Array(length), AT.digest, 0);
  }

  get count(): number {
    return this.urls.length;
  }

  /** URL and title in small letters, to be searched. */
  get texts(): readonly string[] {
    this.#texts ??= this.urls.map((url, place) => `${url}\n${this.title(place) ?? ''}`.toLowerCase());
    return this.#texts;
  }

  state(place: number): State {
    return STATES[this.states[place] as number] as State;
  }

  verdict(place: number, agent: number): Verdict | null {
    return this.head.verdicts[this.verdicts[place] as number]?.[agent] ?? null;
  }

  /** Whether the crawler may not fetch it, so that it sees nothing of the page. */
  isBlocked(place: number, agent: number): boolean {
    return ((this.verdict(place, agent)?.[0] ?? 0) & 1) !== 0;
  }

  title(place: number): string | null {
    return this.#text(place, AT.title);
  }

  /** Why a URL is a trap, or why there was no answer. */
  note(place: number): string | null {
    return this.#text(place, AT.note);
  }

  bytes(place: number): number | null {
    return (this.#rows[place]?.[AT.bytes] as number | null | undefined) ?? null;
  }

  type(place: number): string | null {
    return this.head.types[(this.#rows[place]?.[AT.type] as number | null | undefined) ?? NONE] ?? null;
  }

  isStart(place: number): boolean {
    return this.#rows[place]?.[AT.start] === 1;
  }

  redirect(place: number): Target | null {
    return (this.#rows[place]?.[AT.redirect] as Target | null | undefined) ?? null;
  }

  canonical(place: number): Canonical | null {
    const cell = this.#rows[place]?.[AT.canonical] as readonly Target[] | null | undefined;
    if (!cell) return null;
    const [kind, from, ...targets] = cell;
    return {
      kind: KINDS[kind as number] as Canonical['kind'],
      from: ['HTML', 'header'].filter((_, bit) => ((from as number) & (1 << bit)) !== 0),
      targets,
    };
  }

  ignoredCanonicals(place: number): readonly Ignored[] {
    return (this.#rows[place]?.[AT.ignored] as readonly Ignored[] | null | undefined) ?? [];
  }

  /** The numbers of the sitemaps that name it. */
  sitemaps(place: number): readonly number[] {
    const cell = this.#rows[place]?.[AT.sitemaps] as number | readonly number[] | null | undefined;
    return typeof cell === 'number' ? [cell] : (cell ?? []);
  }

  isInSitemap(place: number): boolean {
    return (this.#rows[place]?.[AT.sitemaps] ?? null) !== null;
  }

  /** A few pages that lead there, and the ways in which they do. */
  sources(place: number): { readonly from: number; readonly ways: number }[] {
    const cell = (this.#rows[place]?.[AT.sources] as readonly number[] | null | undefined) ?? [];
    return Array.from({ length: cell.length / 2 }, (_, index) => ({
      from: cell[2 * index] as number,
      ways: cell[2 * index + 1] as number,
    }));
  }

  /** The URL that a target is. */
  urlOf(target: Target): string {
    return typeof target === 'string' ? target : (this.urls[target] ?? '');
  }

  #text(place: number, at: number): string | null {
    return (this.#rows[place]?.[at] as string | null | undefined) ?? null;
  }
}

/** Reads the data that the document has, and takes it out of it. */
export function readData(): ReportData {
  const pieces = (kind: string): unknown[] =>
    Array.from(document.querySelectorAll(`script[data-report="${kind}"]`), (element) => {
      const value: unknown = JSON.parse(element.textContent ?? '');
      element.remove();
      return value;
    });
  const rows = (pieces('rows') as (readonly Cell[])[][]).flat();
  return new ReportData(pieces('head')[0] as Head, rows);
}
