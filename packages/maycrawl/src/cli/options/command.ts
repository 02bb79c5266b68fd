// Descriptions of commands, and the program that consists of them.
import type { Command } from 'commander';
import { readConfig } from './config-file.ts';
import { isList } from './option.ts';
import type { OptionRecord, OptionRecords, OptionValues, Section } from './option-record.ts';
import { resolveOptions, toFlag } from './resolve.ts';

/** A command with the options of a table. */
export interface CommandDescription<Records extends OptionRecords> {
  /** One or several words, such as `watch add`. */
  readonly name: string;
  readonly description: string;
  readonly arguments?: readonly (readonly [name: string, description: string])[];
  readonly options: Records;
  /** The section of the configuration file and of the environment that sets its options. */
  readonly section?: Section;
  /** Loads the module of the command and runs it. @returns the exit code. */
  readonly run: (options: OptionValues<Records>, args: readonly string[]) => Promise<number>;
}

export type AnyCommand = CommandDescription<OptionRecords>;

/** Checks the types of a description. */
export function defineCommand<Records extends OptionRecords>(
  description: CommandDescription<Records>,
): AnyCommand {
  return description as unknown as AnyCommand;
}

const CONFIG: OptionRecord = {
  type: 'text',
  placeholder: '<file>',
  description:
    'configuration file (default: maycrawl.config.json or maycrawl.config.yaml in the current directory)',
};

export const CONFIG_VARIABLE = 'MAYCRAWL_CONFIG';

/** Returns the names of the options of a command that its section of the configuration can set. */
export function getConfigurableNames({ section, options }: AnyCommand): string[] {
  if (section === undefined) return [];
  return Object.keys(options).filter((name) => options[name]?.sections?.includes(section));
}

/** Returns the names of all options of a section of the configuration. */
function getSectionNames(commands: readonly AnyCommand[], section: Section): string[] {
  const names = commands.filter((each) => each.section === section).flatMap(getConfigurableNames);
  return [...new Set(names)];
}

/**
 * Adds commands to a program.
 *
 * @param parents - the descriptions of groups of commands, by their first words.
 * @param finish - receives the exit code.
 */
export function addCommands(
  program: Command,
  commands: readonly AnyCommand[],
  parents: Readonly<Record<string, string>>,
  finish: (exitCode: number) => void,
): void {
  for (const description of commands) {
    const words = description.name.split(' ');
    let parent = program;
    for (const [index, word] of words.slice(0, -1).entries())
      parent =
        parent.commands.find((each) => each.name() === word) ??
        parent.command(word).description(parents[words.slice(0, index + 1).join(' ')] ?? '');
    const command = parent.command(words.at(-1) ?? '').description(description.description);
    for (const argument of description.arguments ?? []) command.argument(...argument);
    addOptions(command, description);
    command.action(async () => {
      const settings = await readSettings(command, description, commands);
      finish(
        await description.run(resolveOptions(description.options, getGiven(command), settings), command.args),
      );
    });
  }
}

function addOptions(command: Command, { options, section }: AnyCommand): void {
  const all = { ...options, ...(section && { config: CONFIG }) };
  for (const [name, option] of Object.entries(all)) {
    if (option.isSecret) continue;
    const { letter, description } = option;
    const placeholder = option.type === 'flag' ? '' : option.placeholder;
    const isNegative = option.type === 'flag' && option.default === 'true';
    const long = isNegative ? toFlag(name).replace('--', '--no-') : toFlag(name);
    const flags = `${letter === undefined ? '' : `-${letter}, `}${long} ${placeholder}`.trim();
    const note = isNegative || option.default === undefined ? '' : ` (default: ${option.default})`;
    if (isList(option))
      command.option(flags, `${description}; can be repeated${note}`, (value: string, before?: string[]) => [
        ...(before ?? []),
        value,
      ]);
    else command.option(flags, `${description}${note}`);
  }
}

/** Returns the options on the command line, without the defaults of commander. */
function getGiven(command: Command): Record<string, unknown> {
  const given = Object.entries(command.opts());
  return Object.fromEntries(given.filter(([name]) => command.getOptionValueSource(name) === 'cli'));
}

async function readSettings(command: Command, { section }: AnyCommand, commands: readonly AnyCommand[]) {
  if (section === undefined) return undefined;
  const environment = process.env;
  const path = command.opts()['config'] ?? environment[CONFIG_VARIABLE];
  const file = await readConfig(section, path || undefined);
  return { section, environment, file, names: getSectionNames(commands, section) };
}
