/**
 * `maycrawl lint`: what is wrong or odd in a robots.txt.
 *
 * @module
 */
import { parse, type Severity } from '@maycrawl/core';
import { fix, lint } from '@maycrawl/core/lint';
import { CommandError } from './errors.ts';
import { FORMATS } from './finding-formats.ts';
import { requireProfile, requireProvable } from './options.ts';
import { type ReadingOptions, SourceReader } from './source.ts';
import { tell, visible } from './terminal.ts';
import { writeWhole } from './write-file.ts';

export interface LintCommandOptions extends Omit<ReadingOptions, 'profile'> {
  readonly profile: string;
  readonly fix?: boolean;
  readonly format: string;
  readonly severity: string;
}

const SEVERITIES: readonly Severity[] = ['info', 'warning', 'error'];

/**
 * Prints the findings about a file. With `fix` it mends the file first, and prints what is left.
 *
 * @returns the exit code: 0, or 1 if any finding that is told is a warning or an error.
 * @throws {CommandError} if the file cannot be read or written, or an option is none.
 */
export async function lintCommand(name: string, options: LintCommandOptions): Promise<number> {
  const profile = options.fix ? requireProvable(options.profile) : requireProfile(options.profile);
  const format = FORMATS.get(options.format);
  if (format === undefined) throw wrongChoice('--format', options.format, [...FORMATS.keys()]);
  const least = SEVERITIES.indexOf(options.severity as Severity);
  if (least < 0) throw wrongChoice('--severity', options.severity, SEVERITIES);
  if (options.fix && (name === '-' || name.includes('://')))
    throw new CommandError('--fix mends a file: name one');
  const reader = new SourceReader({ ...options, profile });
  const { outcome, reason, robots: read } = await reader.read(name).finally(() => reader.close());
  if (outcome !== 'found') throw new CommandError(`${visible(name)} is ${outcome}: ${visible(reason ?? '')}`);
  let robots = read;
  if (options.fix) {
    if (robots.truncated) throw new CommandError(`--fix would lose what is beyond ${robots.maxBytes} bytes`);
    const { bytes, fixed } = fix(robots, lint(robots));
    if (fixed.length > 0) await writeWhole(name, bytes);
    tell(fixed.length === 0 ? 'nothing to mend' : `mended: ${fixed.length}; no verdict changes`);
    robots = parse(bytes, { profile });
  }
  const findings = lint(robots).filter(({ severity }) => SEVERITIES.indexOf(severity) >= least);
  process.stdout.write(format(name, findings));
  return findings.some(({ severity }) => severity !== 'info') ? 1 : 0;
}

function wrongChoice(option: string, given: string, choices: readonly string[]): CommandError {
  return new CommandError(`${option} is one of ${choices.join(', ')}, not ${visible(given)}`);
}
