// Searches of texts in paths whose steps a budget counts: linear, whatever the texts are.
import type { Budget } from '@maycrawl/core/proofs';

/** Characters that are compared in one step where two texts are compared, and where one is searched in the other. */
const COMPARED_CHARACTERS = 8;
const SEARCHED_CHARACTERS = 2;

/** Comparisons of a search up to which that of JavaScript, which can compare each character of both texts, is faster. */
const MAX_COMPARISONS = 4_096;

export function hasPrefix(text: string, prefix: string, budget: Budget): boolean {
  budget.spend(1 + Math.min(prefix.length, text.length) / COMPARED_CHARACTERS);
  return text.startsWith(prefix);
}

export function hasSuffix(text: string, suffix: string, budget: Budget): boolean {
  budget.spend(1 + Math.min(suffix.length, text.length) / COMPARED_CHARACTERS);
  return text.endsWith(suffix);
}

/** Finds the first place of a part from `from`; -1 without one. */
export function findPart(text: string, part: string, from: number, budget: Budget): number {
  return find(text, part, { from, isLast: false }, budget);
}

/** Finds the last place of a part from `from`; -1 without one. */
export function findLastPart(text: string, part: string, from: number, budget: Budget): number {
  return find(text, part, { from, isLast: true }, budget);
}

interface Place {
  readonly from: number;
  readonly isLast: boolean;
}

function find(text: string, part: string, place: Place, budget: Budget): number {
  const length = text.length - place.from;
  if (part.length > length) return -1;
  const isShort = length * part.length <= MAX_COMPARISONS;
  const found = isShort ? findShort(text, part, place) : findLinearly(text, part, place);
  const searched = found < 0 || place.isLast ? length : found - place.from;
  budget.spend(1 + (searched + part.length) / SEARCHED_CHARACTERS);
  return found;
}

function findShort(text: string, part: string, { from, isLast }: Place): number {
  if (!isLast) return text.indexOf(part, from);
  const found = text.lastIndexOf(part);
  return found < from ? -1 : found;
}

/** The algorithm of Knuth, Morris and Pratt (1977). */
function findLinearly(text: string, part: string, { from, isLast }: Place): number {
  const borders = getBorders(part);
  let found = -1;
  let matched = 0;
  for (let at = from; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    while (matched > 0 && unit !== part.charCodeAt(matched)) matched = borders[matched - 1] as number;
    if (unit === part.charCodeAt(matched)) matched++;
    if (matched < part.length) continue;
    found = at + 1 - matched;
    if (!isLast) break;
    matched = borders[matched - 1] as number;
  }
  return found;
}

/** Returns the length of the longest border of each prefix of a text: what it begins and ends with. */
function getBorders(text: string): Uint32Array {
  const borders = new Uint32Array(text.length);
  let length = 0;
  for (let end = 1; end < text.length; end++) {
    const unit = text.charCodeAt(end);
    while (length > 0 && unit !== text.charCodeAt(length)) length = borders[length - 1] as number;
    if (unit === text.charCodeAt(length)) length++;
    borders[end] = length;
  }
  return borders;
}
