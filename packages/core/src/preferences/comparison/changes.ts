// Changes of declarations, merged from the classes of crawlers that are compared.
import type { NamedCrawler } from '../../proofs/crawler-classes.ts';
import type { LicenseReference } from '../selected-statements.ts';
import type { DeclaredPreference, FoundChange } from './find-changes.ts';

/** A change of what is declared about one purpose. */
export interface DeclarationChange {
  /** `search`, `ai-train`, `ai-input`, or another purpose that a label is about. */
  readonly purpose: string;
  /** The crawlers for which the change has this example. */
  readonly crawlers: readonly NamedCrawler[];
  /** A shortest path, with its query, for which these statements decide. The crawlers may fetch it after the edit. */
  readonly example: string;
  /** `not-applicable` if the crawlers could fetch no path of this change before the edit. */
  readonly before: DeclaredPreference;
  readonly after: DeclaredPreference;
}

/** A change of the licences that a robots.txt refers to. */
export interface LicenseChange {
  readonly crawlers: readonly NamedCrawler[];
  readonly before: readonly LicenseReference[];
  readonly after: readonly LicenseReference[];
}

/** What a search has found for a class. */
export interface ClassChanges {
  readonly isComplete: boolean;
  readonly changes: readonly (FoundChange & { readonly purpose: string })[];
}

const FIRST_PURPOSES: readonly string[] = ['ai-train', 'ai-input', 'search'];

function getRank({ purpose }: DeclarationChange): number {
  const rank = FIRST_PURPOSES.indexOf(purpose);
  return rank < 0 ? FIRST_PURPOSES.length : rank;
}

interface Merged<T> {
  readonly change: T;
  readonly classes: (readonly NamedCrawler[])[];
}

/** Changes of several classes of crawlers. Those with the same statements and the same example are one change. */
export class MergedChanges {
  readonly #changes: Map<string, Merged<Omit<DeclarationChange, 'crawlers'>>> = new Map();

  get changes(): readonly DeclarationChange[] {
    return joinClasses(this.#changes.values()).sort(
      (a, b) => getRank(a) - getRank(b) || a.example.length - b.example.length,
    );
  }

  add(crawlers: readonly NamedCrawler[], { changes }: ClassChanges): void {
    for (const change of changes) {
      const { purpose, example, before, after } = change;
      addMerged(this.#changes, [purpose, example, getKey(before), getKey(after)], change, crawlers);
    }
  }
}

function addMerged<T>(
  merged: Map<string, Merged<T>>,
  id: object,
  change: T,
  crawlers: readonly NamedCrawler[],
): void {
  const key = JSON.stringify(id);
  const known = merged.get(key);
  if (known === undefined) merged.set(key, { change, classes: [crawlers] });
  else known.classes.push(crawlers);
}

/** Joins the crawlers of classes. Changes for the same classes share one list: it can be as long as the file. */
function joinClasses<T>(merged: Iterable<Merged<T>>): (T & { readonly crawlers: readonly NamedCrawler[] })[] {
  const lists = new Map<string, readonly NamedCrawler[]>();
  const numbers = new Map<readonly NamedCrawler[], number>();
  return Array.from(merged, ({ change, classes }) => {
    for (const each of classes) if (!numbers.has(each)) numbers.set(each, numbers.size);
    const key = classes.map((each) => numbers.get(each)).join(' ');
    const crawlers = lists.get(key) ?? classes.flat();
    lists.set(key, crawlers);
    return { ...change, crawlers };
  });
}

function getKey({ value, statement }: DeclaredPreference): string {
  return `${value} ${statement?.format ?? ''} ${statement?.label ?? ''} ${statement?.line ?? ''}`;
}
