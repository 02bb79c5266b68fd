// The command `maycrawl audit` with its subcommands, which has a bundle of its own (docs/decisions/0031-bundle-of-audits.md).
import { AUDIT_COMMANDS } from './commands/audit/program.ts';
import { runProgram } from './run-program.ts';
import { setV8Flags } from './v8-flags.ts';

/**
 * Runs `maycrawl audit`.
 *
 * @param args - the arguments, without node and script. The first is `audit`.
 * @returns the exit code, as that of `main.ts`.
 */
export function main(args: readonly string[]): Promise<number> {
  setV8Flags();
  return runProgram(args, AUDIT_COMMANDS);
}
