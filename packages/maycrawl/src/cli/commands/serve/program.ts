// `maycrawl serve`. Its module is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import { withTelemetry } from '../../telemetry.ts';
import { SERVE_OPTIONS } from './options.ts';

export const SERVE_COMMAND: AnyCommand = defineCommand({
  name: 'serve',
  description: 'run the tester page and the decision service',
  options: SERVE_OPTIONS,
  section: 'serve',
  run: (options) => withTelemetry(async () => (await import('./serve.ts')).serve(options)),
});
