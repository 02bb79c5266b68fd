// All scenarios, in the order of reports.
import type { Scenario } from '../scenario.ts';
import { CACHING_SCENARIOS } from './caching.ts';
import { FILE_SCENARIOS } from './files.ts';
import { NETWORK_SCENARIOS } from './network.ts';
import { REDIRECT_SCENARIOS } from './redirects.ts';
import { RULE_SCENARIOS } from './rules.ts';
import { STATUS_SCENARIOS } from './status.ts';

export const SCENARIOS: readonly Scenario[] = [
  ...STATUS_SCENARIOS,
  ...REDIRECT_SCENARIOS,
  ...NETWORK_SCENARIOS,
  ...FILE_SCENARIOS,
  ...RULE_SCENARIOS,
  ...CACHING_SCENARIOS,
];
