// `maycrawl mcp`. Its module is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { MCP_OPTIONS } from './options.ts';

export const MCP_COMMAND: AnyCommand = defineCommand({
  name: 'mcp',
  description:
    'serve tools about robots.txt to agents, with the Model Context Protocol on standard input and output',
  options: MCP_OPTIONS,
  run: async (options) => (await import('./mcp.ts')).mcp(options),
});
