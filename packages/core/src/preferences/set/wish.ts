/**
 * Wishes: what an owner wants to declare, and how the formats state it.
 *
 * @module
 */
import { quoteValue } from '../../bytes/check-options.ts';
import { type DeclarationFormat, type ParsedDeclaration, SYNTAX } from '../declaration.ts';
import { LABELS, MAIN_PURPOSES } from '../labels.ts';
import { READINGS, selectClosest } from '../readings.ts';
import type { Claim } from '../statement.ts';

/** A purpose that an owner can allow or refuse. */
export type WishPurpose = (typeof MAIN_PURPOSES)[number];

/** What an owner wants. */
export type WishValue = 'allowed' | 'disallowed';

/** The wishes by purpose. A purpose that is missing stays as it is. */
export type Wishes = Readonly<Partial<Record<WishPurpose, WishValue>>>;

/** A wish for one purpose. */
export interface Wish {
  readonly purpose: WishPurpose;
  readonly value: WishValue;
}

/** A wish in the words of a format. */
export interface LabelledWish extends Wish {
  /** The label for the purpose in the current version of the format. */
  readonly label: string;
  /** The value as the format writes it. */
  readonly token: string;
}

/** The formats of lines, in the order in which they are written. */
export const LINE_FORMATS: readonly DeclarationFormat[] = ['content-usage', 'content-signal'];

const VALUES: readonly unknown[] = ['allowed', 'disallowed'];

/**
 * Checks the wishes of a caller.
 *
 * @throws {TypeError | RangeError} if they are not an object, empty, or contain an unknown purpose or value.
 */
export function requireWishes(wishes: Wishes): Wish[] {
  if (typeof wishes !== 'object' || wishes === null)
    throw new TypeError(`wishes must be an object, not ${quoteValue(wishes)}`);
  let isEmpty = true;
  // `for` includes inherited wishes, as access to a property does.
  for (const purpose in wishes) {
    const value: unknown = wishes[purpose as WishPurpose];
    if (value === undefined) continue;
    isEmpty = false;
    if (!(MAIN_PURPOSES as readonly string[]).includes(purpose))
      throw new RangeError(`unknown purpose ${quoteValue(purpose)}: use ${MAIN_PURPOSES.join(', ')}`);
    if (!VALUES.includes(value))
      throw new RangeError(`the wish for ${purpose} must be allowed or disallowed, not ${quoteValue(value)}`);
  }
  if (isEmpty) throw new RangeError('the wishes are empty');
  return MAIN_PURPOSES.flatMap((purpose) => {
    const value = wishes[purpose];
    return value === undefined ? [] : [{ purpose, value }];
  });
}

/** Returns the wishes that a format has labels for, in the order of the labels. */
export function labelWishes(format: DeclarationFormat, wishes: readonly Wish[]): LabelledWish[] {
  return LABELS.filter((label) => label.format === format && label.isCurrent).flatMap(({ label, purpose }) =>
    wishes
      .filter((wish) => wish.purpose === purpose)
      .map((wish) => ({ ...wish, label, token: SYNTAX[format][wish.value] })),
  );
}

/** Formats wishes as a declaration for all paths, or for one. */
export function formatStatement(
  format: DeclarationFormat,
  wishes: readonly LabelledWish[],
  path: string | null = null,
): string {
  const members = wishes.map(({ label, token }) => `${label}=${token}`).join(', ');
  return `${SYNTAX[format].field}: ${path === null ? '' : `${path} `}${members}`;
}

/** Readings that differ in the labels that count. */
const LABEL_READINGS = READINGS.filter(({ name }) => name === 'grouped' || name === 'current-labels');

/**
 * What a declaration says about a wish: `states` if it says so with labels of old and of current versions alike, `contradicts` if it
 * says the opposite with one of them.
 */
export function compareWithWish(
  declaration: ParsedDeclaration & { readonly claims: readonly Claim[] },
  { purpose, value }: Wish,
): 'states' | 'contradicts' | 'silent' {
  const values = LABEL_READINGS.map((reading) =>
    selectClosest(declaration, purpose, reading)
      .map(({ statement }) => statement.value)
      .filter((each) => each !== 'unknown'),
  );
  if (values.flat().some((each) => each !== value)) return 'contradicts';
  return values.every((each) => each.length > 0) ? 'states' : 'silent';
}
