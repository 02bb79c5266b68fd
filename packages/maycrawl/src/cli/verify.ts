/**
 * `maycrawl verify`: whether a robots.txt does what its owner expects, for every URL that is described.
 *
 * @module
 */
import type { RobotsTxt } from '@maycrawl/core';
import { crawlersOf, proveVerdict } from '@maycrawl/core/proofs';
import { type Checked, checkExpectation, type Expectation } from '../expectations/expectations.ts';
import { CommandError } from './errors.ts';
import { inFile, readExpectations } from './expectations.ts';
import { requireProfile } from './options.ts';
import { type ReadingOptions, SourceReader } from './source.ts';
import { tell, visible } from './terminal.ts';
import { CHECK_FORMATS } from './verify-formats.ts';
import { writeWhole } from './write-file.ts';

export interface VerifyOptions extends Omit<ReadingOptions, 'profile'> {
  readonly profile: string;
  readonly tests: string;
  readonly format: string;
  readonly init?: boolean;
}

/**
 * Checks a robots.txt against expectations and prints what came of each.
 *
 * @returns the exit code: 0 if all hold, 1 if any does not, 2 if any was not decided.
 * @throws {CommandError} if a file cannot be read.
 */
export async function verify(name: string, options: VerifyOptions): Promise<number> {
  const profile = requireProfile(options.profile);
  const format = CHECK_FORMATS.get(options.format);
  if (format === undefined)
    throw new CommandError(
      `--format is one of ${[...CHECK_FORMATS.keys()].join(', ')}, not ${visible(options.format)}`,
    );
  const reader = new SourceReader({ ...options, profile });
  const { outcome, reason, robots } = await reader.read(name).finally(() => reader.close());
  if (outcome === 'unreachable')
    throw new CommandError(`${visible(name)} is unreachable: ${visible(reason ?? '')}`);
  if (options.init) return init(robots, options.tests);
  const checked = (await readExpectations(options.tests)).flatMap((each) =>
    check(robots, each, options.tests),
  );
  process.stdout.write(format(name, options.tests, checked));
  if (checked.some(({ holds }) => holds === false)) return 1;
  return checked.some(({ holds }) => holds === null) ? 2 : 0;
}

function check(robots: RobotsTxt, expectation: Expectation, tests: string): Checked[] {
  try {
    return checkExpectation(robots, expectation);
  } catch (cause) {
    throw inFile(tests, cause);
  }
}

/** Writes expectations of what holds today: what each rule says, as far as no other rule says something else. */
async function init(robots: RobotsTxt, path: string): Promise<number> {
  const { existsSync } = await import('node:fs');
  if (existsSync(path))
    throw new CommandError(`${visible(path)} is there already; --init does not write over it`);
  const named = new Set(robots.groups().flatMap(({ userAgents }) => userAgents.map(({ token }) => token)));
  const expectations = crawlersOf([robots])
    .filter(({ name }) => name === '*' || named.has(name.toLowerCase()))
    .flatMap(({ name, crawler }) => {
      const ruleset = robots.ruleset(crawler);
      const holding = (kind: 'allow' | 'disallow'): string[] => {
        const patterns = ruleset.rules
          .filter((rule) => rule.kind === kind && rule.value !== '')
          .map(({ value }) => value);
        const all = patterns
          .filter((value) => /^[/*]/.test(value))
          .map((value) => (/[*$]$/.test(value) ? value : `${value}*`));
        return [...new Set(all)].filter((pattern) => {
          const { holds, isVacuous } = proveVerdict(ruleset, pattern, kind === 'allow');
          return holds === true && !isVacuous;
        });
      };
      const [allow, block] = [holding('allow'), holding('disallow')];
      if (allow.length + block.length === 0) return [];
      // A name that no robots.txt uses stands for all others.
      return [
        {
          crawler: name === '*' ? 'AnyOtherBot' : name,
          ...(allow.length > 0 && { allow }),
          ...(block.length > 0 && { block }),
        },
      ];
    });
  if (expectations.length === 0)
    throw new CommandError(
      'nothing can be expected: the file has no rules that hold for all that they describe',
    );
  const { stringify } = await import('yaml');
  const head =
    '# What this robots.txt must do. A pattern (with * or ending with $) speaks for all URLs that it describes.\n';
  await writeWhole(path, Buffer.from(`${head}${stringify(expectations)}`));
  tell(`${visible(path)}: ${expectations.length} crawlers`);
  return 0;
}
