/**
 * `@maycrawl/core/options`: checks of option objects, for functions whose options are passed by programs.
 *
 * @module
 */
export {
  checkOptions,
  findNearestName,
  type OptionType,
  type OptionTypes,
  quoteValue,
} from './bytes/check-options.ts';
