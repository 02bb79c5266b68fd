// The robots statements of one page, in bounded number. A page of some megabytes can have a hundred thousand.
import { type Directive, isFlag } from './directive.ts';
import type { RobotsStatement } from './rules.ts';

/** Maximum numbers of different statements of a page, and of their directives together, that are kept. */
const [MAX_STATEMENTS, MAX_DIRECTIVES] = [1_000, 10_000] as const;
/** Maximum number of crawlers whose restrictions are kept beyond that, and of dates of one of them. */
const [MAX_AGENTS, MAX_DATES] = [1_000, 100] as const;

/** What the statements for one crawler say. */
interface Restrictions {
  readonly kinds: Set<Directive['kind']>;
  /** The earliest date of `unavailable_after`, and the number of dates beyond the limits. */
  earliest: number;
  dates: number;
}

/**
 * Collects the different statements of a page. Beyond the limits it keeps the directives that restrict a crawler more than those before do:
 * one without a value, such as `noindex`, and an earlier date.
 */
export class RobotsStatements {
  readonly #statements: RobotsStatement[] = [];
  /** The texts of the statements that are kept, by their agents and origins. */
  readonly #texts: Map<string, Set<string>> = new Map();
  /** By agent; `null` for every crawler. */
  readonly #restrictions: Map<string | null, Restrictions> = new Map([[null, createRestrictions()]]);
  #directives = 0;
  #isTruncated = false;

  get all(): readonly RobotsStatement[] {
    return this.#statements;
  }

  /** Whether statements or directives were omitted. */
  get isTruncated(): boolean {
    return this.#isTruncated;
  }

  /** Adds a statement of the page; one beyond the bounds counts only as far as it restricts. */
  add(statement: RobotsStatement): void {
    const { from, agent, text, directives, isTruncated = false } = statement;
    const key = `${from} ${agent ?? '*'}`;
    const texts = this.#texts.get(key) ?? new Set();
    if (texts.has(text)) return;
    const isWithin =
      this.#statements.length < MAX_STATEMENTS && this.#directives + directives.length <= MAX_DIRECTIVES;
    if (!isWithin || isTruncated) this.#isTruncated = true;
    const restrictions = this.#getRestrictions(agent);
    const kept = isWithin ? directives : selectRestrictive(directives, restrictions);
    if (!isWithin && kept.length === 0) return;
    this.#texts.set(key, texts.add(text));
    this.#directives += kept.length;
    for (const each of kept) addRestriction(each, restrictions);
    this.#statements.push(isWithin ? statement : { ...statement, directives: kept });
  }

  #getRestrictions(agent: string | null): Restrictions | undefined {
    const found = this.#restrictions.get(agent);
    if (found !== undefined || this.#restrictions.size >= MAX_AGENTS) return found;
    const created = createRestrictions();
    this.#restrictions.set(agent, created);
    return created;
  }
}

function createRestrictions(): Restrictions {
  return { kinds: new Set(), earliest: Infinity, dates: 0 };
}

function addRestriction(directive: Directive, restrictions: Restrictions | undefined): void {
  if (restrictions === undefined) return;
  if (isFlag(directive)) restrictions.kinds.add(directive.kind);
  if (directive.kind === 'unavailable_after')
    restrictions.earliest = Math.min(restrictions.earliest, directive.date);
}

function selectRestrictive(
  directives: readonly Directive[],
  restrictions: Restrictions | undefined,
): readonly Directive[] {
  if (restrictions === undefined) return [];
  return directives.filter((directive) => {
    if (isFlag(directive)) return !restrictions.kinds.has(directive.kind);
    const isEarlier = directive.kind === 'unavailable_after' && directive.date < restrictions.earliest;
    return isEarlier && restrictions.dates++ < MAX_DATES;
  });
}
