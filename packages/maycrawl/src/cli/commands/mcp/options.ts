// The options of `maycrawl mcp`. The module loads no package, because the command loads it at every start.
import {
  CACHE_DATABASE,
  MAX_BYTES,
  MAX_ORIGINS,
  PROFILE,
  TIMEOUT,
  USER_AGENT,
} from '../../options/fetch-options.ts';
import type { OptionValues } from '../../options/option-record.ts';

/** Options of `maycrawl mcp`. */
export const MCP_OPTIONS = {
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'the crawler of calls that name none',
    default: '*',
  },
  profile: PROFILE as typeof PROFILE,
  userAgent: USER_AGENT as typeof USER_AGENT,
  timeout: TIMEOUT as typeof TIMEOUT,
  database: CACHE_DATABASE as typeof CACHE_DATABASE,
  maxBytes: MAX_BYTES as typeof MAX_BYTES,
  maxOrigins: MAX_ORIGINS as typeof MAX_ORIGINS,
  allowPrivate: {
    type: 'flag',
    description: 'allow connections to private addresses; a page that an agent reads can name one',
  },
} as const;
export type McpOptions = OptionValues<typeof MCP_OPTIONS>;
