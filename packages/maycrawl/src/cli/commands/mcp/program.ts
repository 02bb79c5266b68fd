// `maycrawl mcp`: its options.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { CACHE_DATABASE, CACHE_LIMITS, PROFILE, TIMEOUT, USER_AGENT } from '../../options/fetch-options.ts';
import { flag, text } from '../../options/option.ts';
import type { McpOptions } from './mcp.ts';

export const MCP_COMMAND: AnyCommand = defineCommand<McpOptions>({
  name: 'mcp',
  description:
    'serve tools about robots.txt to agents, with the Model Context Protocol on standard input and output',
  options: {
    agent: text('<name>', 'the crawler of calls that name none', { default: '*' }),
    profile: PROFILE,
    userAgent: USER_AGENT,
    timeout: TIMEOUT,
    database: CACHE_DATABASE,
    ...CACHE_LIMITS,
    allowPrivate: flag('allow connections to private addresses; a page that an agent reads can name one'),
  },
  run: async (options) => (await import('./mcp.ts')).mcp(options),
});
