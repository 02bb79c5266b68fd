// Runs a program that consists of commands, and reports its errors.
import { Command, CommanderError } from 'commander';
import { type AnyCommand, addCommands } from './options/command.ts';
import { VERSION } from './options/fetch-options.ts';
import { CommandError } from './output/errors.ts';
import { printMessage } from './output/terminal.ts';

/** Names of errors of the machine and of stores, whose messages are for the user. Their modules are loaded only if needed. */
const EXPECTED_ERRORS: readonly string[] = ['LocalFailureError', 'DatabaseError'];

/**
 * Runs a program.
 *
 * @param args - the arguments, without node and script.
 * @param commands - the commands of the program.
 * @param groups - the descriptions of first words that are not commands.
 * @returns the exit code: 0 allowed, 1 disallowed, 2 no verdict.
 */
export async function runProgram(
  args: readonly string[],
  commands: readonly AnyCommand[],
  groups: Readonly<Record<string, string>> = {},
): Promise<number> {
  let exitCode = 0;
  const program = createProgram();
  addCommands(program, commands, groups, (code) => {
    exitCode = code;
  });
  try {
    await program.parseAsync(args, { from: 'user' });
    return exitCode;
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
    if (error instanceof CommandError || EXPECTED_ERRORS.includes((error as Error).name))
      printMessage((error as Error).message);
    else if (process.env['MAYCRAWL_DEBUG']) throw error;
    else printMessage(`${String(error)} (this is a bug in maycrawl; MAYCRAWL_DEBUG=1 prints the stack)`);
    return 2;
  }
}

function createProgram(): Command {
  return (
    new Command('maycrawl')
      .description('May this crawler fetch this URL, and why? Reads robots.txt as Google does.')
      .version(VERSION)
      .exitOverride()
      // Options after the name of a subcommand belong to it, even if the parent has options of the same names.
      .enablePositionalOptions()
      .configureOutput({
        // One line: commander puts hints on lines of their own.
        outputError: (text) =>
          printMessage(
            `${text
              .replace(/^error: /, '')
              .trim()
              .replaceAll('\n', ' ')}; see maycrawl --help`,
          ),
      })
  );
}
