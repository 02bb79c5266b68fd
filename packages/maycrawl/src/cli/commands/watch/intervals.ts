// The times of checks, as options and in the file of `watch import`.

/** Milliseconds from one check to the next. */
export const EVERY = {
  type: 'duration',
  placeholder: '<time>',
  range: ['1m', undefined],
  description: 'interval of checks, such as 15m, 1h or 1d',
  default: '1h',
} as const;

/** Milliseconds from a failure to the check that confirms it. */
export const CONFIRM = {
  type: 'duration',
  placeholder: '<time>',
  range: ['0s', '1h'],
  description: 'time after which a failure is checked again before it is reported; 0s reports it immediately',
  default: '2m',
} as const;
