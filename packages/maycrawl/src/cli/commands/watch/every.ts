/**
 * The interval of checks, as an option and in the file of `watch import`.
 *
 * @module
 */
import { duration, type OptionDescription } from '../../options/option.ts';

/** Milliseconds from one check to the next. */
export const EVERY: OptionDescription<number> = duration(
  '<time>',
  ['1m', undefined],
  'interval of checks, such as 15m, 1h or 1d',
  { default: '1h' },
);
