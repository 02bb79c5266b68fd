/**
 * `@maycrawl/core/options`: checks of option objects, for functions whose options are passed by programs, and immutable data.
 *
 * @module
 */
export {
  checkOptions,
  checkRanges,
  findNearestName,
  type NumberRange,
  type OptionType,
  type OptionTypes,
  quoteValue,
  requireString,
  requireStrings,
} from './bytes/check-options.ts';
export { freezeDeep } from './bytes/freeze.ts';
