// What a monitor does, without names of sites and targets: for metrics, and for health checks.

/** The results of checks. `postponed`: its analysis was ended, or it is set aside; `lost`: another worker has claimed the site. */
export type CheckStatus =
  | 'unchanged'
  | 'changed'
  | 'unconfirmed'
  | 'postponed'
  | 'set-aside'
  | 'lost'
  | 'failed';

/** One step of the work of a monitor. */
export type Activity =
  | { readonly kind: 'check'; readonly result: CheckStatus; readonly milliseconds: number }
  /** An attempt to deliver one message. `postponed`: it is repeated; `dropped`: it is given up. */
  | { readonly kind: 'delivery'; readonly result: 'delivered' | 'postponed' | 'dropped' }
  /** Everything that was due is done. */
  | { readonly kind: 'pass' };
