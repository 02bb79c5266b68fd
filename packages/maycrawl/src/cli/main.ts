// The command `maycrawl`. Each subcommand is loaded only when it is called.
import { COMMANDS, GROUPS } from './commands/program.ts';
import { runProgram } from './run-program.ts';

/**
 * Runs the command.
 *
 * @param args - the arguments, without node and script.
 * @returns the exit code: 0 allowed, 1 disallowed, 2 no verdict.
 */
export function main(args: readonly string[]): Promise<number> {
  return runProgram(args, COMMANDS, GROUPS);
}
