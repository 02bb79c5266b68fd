// The times of checks, as options and in the file of `watch import`.
import { duration, type OptionDescription } from '../../options/option.ts';

/** Milliseconds from one check to the next. */
export const EVERY: OptionDescription<number> = duration(
  '<time>',
  ['1m', undefined],
  'interval of checks, such as 15m, 1h or 1d',
  { default: '1h' },
);

/** Milliseconds from a failure to the check that confirms it. */
export const CONFIRM: OptionDescription<number> = duration(
  '<time>',
  ['0s', '1h'],
  'time after which a failure is checked again before it is reported; 0s reports it immediately',
  { default: '2m' },
);
