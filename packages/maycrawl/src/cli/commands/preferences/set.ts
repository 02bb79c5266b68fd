// `maycrawl preferences set`: writes preferences into a robots.txt, with a proof that no verdict changes.
import { existsSync } from 'node:fs';
import { getPolicyCode, parse } from '@maycrawl/core';
import {
  DEFAULT_FORMATS,
  describeRefusalReach,
  findRefusalReach,
  type PreferenceEdit,
  type PreferenceLimit,
  type PreferenceSettings,
  type PreferencesSet,
  setPreferences,
  WRITABLE_FORMATS,
  type WritableFormat,
} from '@maycrawl/core/preferences';
import { createSettings } from '../../../preferences/create-settings.ts';
import { formatCount } from '../../../text/counts.ts';
import { visible } from '../../../text/printable.ts';
import { MAX_TEXT_BYTES, readTextFile } from '../../input/file.ts';
import { readPolicyTokens } from '../../input/policy-tokens.ts';
import { describeSource, SourceReader } from '../../input/source.ts';
import { CommandError } from '../../output/errors.ts';
import { printJson, writeContent, writeOut } from '../../output/standard-output.ts';
import { printMessage } from '../../output/terminal.ts';
import { writeFileAtomically } from '../../output/write-file.ts';
import type { SetPreferencesCommandOptions } from '../options.ts';

/**
 * Writes a file that declares the wishes, and prints the edits on standard error, or on standard output if the file is not written there.
 *
 * @returns the exit code: 0, 1 if `check` is set and the file needs edits, or 2 if no such file was found.
 * @throws {CommandError} if a file cannot be read or written, or options are missing or contradict each other.
 */
export async function setPreferencesCommand(
  name: string,
  options: SetPreferencesCommandOptions,
): Promise<number> {
  const { output, tdmrep: tdmrepPath, check = false, json = false } = options;
  const wishes = readWishes(options);
  const formats = readFormats(options.formats);
  const policyTokens = await readPolicyTokens(options);
  if (formats.includes('tdmrep') && tdmrepPath === undefined && !json)
    throw new CommandError('the format tdmrep requires --tdmrep FILE, the file to create or change');
  if (check && output !== undefined) throw new CommandError('--check writes nothing: omit --output');
  const tdmrep =
    tdmrepPath !== undefined && existsSync(tdmrepPath)
      ? await readTextFile(tdmrepPath, MAX_TEXT_BYTES)
      : undefined;
  const { profile } = options;
  const result = setPreferences(await readRobotsTxt(name, options), wishes, {
    ...{ formats, policyTokens, profile },
    ...(tdmrep !== undefined && { tdmrep }),
  });
  if (result.kind === 'refused') {
    if (json) printJson({ file: name, ...result });
    else printMessage(`${visible(name)}: not changed: ${result.message}`);
    return 2;
  }
  const { bytes, ...report } = result;
  const purposes = options.refuse ?? [];
  const reach =
    purposes.length === 0
      ? null
      : findRefusalReach(
          parse(bytes, { profile }),
          { purposes, formats, policyTokens },
          // The catalogue is large, and other commands do not need it.
          (await import('@maycrawl/core/crawlers')).CRAWLER_RECORDS,
        );
  const hasChanges = result.edits.length > 0 || (result.tdmrep !== null && result.tdmrep !== tdmrep);
  if (!check) {
    if (output !== undefined) await writeFileAtomically(output, bytes);
    else if (!json) await writeContent(bytes);
    if (result.tdmrep !== null && result.tdmrep !== tdmrep && tdmrepPath !== undefined)
      await writeFileAtomically(tdmrepPath, Buffer.from(result.tdmrep));
  }
  if (json) printJson({ file: name, ...report, reach });
  else {
    const lines = formatReport(result, result.tdmrep !== tdmrep ? tdmrepPath : undefined);
    const text = `${[...lines, ...(reach === null ? [] : describeRefusalReach(reach, purposes))]
      .map(visible)
      .join('\n')}\n`;
    if (check || output !== undefined) await writeOut(text);
    else process.stderr.write(text);
  }
  return check && hasChanges ? 1 : 0;
}

/** Reads the file that is named on the command line. A site without a robots.txt has an empty one. */
async function readRobotsTxt(name: string, options: SetPreferencesCommandOptions): Promise<Uint8Array> {
  const reader = new SourceReader(options);
  const source = await reader.read(name).finally(() => reader.close());
  const { policy, robots } = source;
  if (policy.kind !== 'rules' && getPolicyCode(policy) !== 'unavailable')
    throw new CommandError(`${visible(name)}: ${visible(describeSource(source))}`);
  if (robots.truncated)
    throw new CommandError(
      `${visible(name)}: crawlers ignore everything after the first ${formatCount(robots.maxBytes)} bytes`,
    );
  return robots.bytes;
}

/** @throws {CommandError} if there are no wishes, or two for one purpose. */
function readWishes(options: SetPreferencesCommandOptions): PreferenceSettings {
  try {
    return createSettings(options, ['--refuse', '--allow']);
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    throw new CommandError(cause.message, { cause });
  }
}

/** @throws {CommandError} if a format is unknown. */
function readFormats(text: string | undefined): readonly WritableFormat[] {
  if (text === undefined) return DEFAULT_FORMATS;
  return text.split(',').map((given) => {
    const format = WRITABLE_FORMATS.find((each) => each === given.trim());
    if (format !== undefined) return format;
    throw new CommandError(`--formats must name ${WRITABLE_FORMATS.join(', ')}, not "${visible(given)}"`);
  });
}

function formatReport({ edits, proof, limits }: PreferencesSet, tdmrepPath: string | undefined): string[] {
  return [
    ...edits.flatMap(formatEdit),
    ...(tdmrepPath === undefined ? [] : [`${tdmrepPath}: the file states the wish about training`]),
    formatProof(edits.length, proof.exceptions),
    ...limits.map(formatLimit),
  ];
}

function formatEdit({ line, removed, added, message, managedBy }: PreferenceEdit): string[] {
  const place = removed === null ? (line === 0 ? 'new file' : `after line ${line}`) : `line ${line}`;
  const block = managedBy === null ? '' : `, in the block that ${managedBy} manages and may write again`;
  return [
    `${place}: ${message}${block}`,
    ...(removed === null ? [] : [`  - ${removed}`]),
    ...added.map((text) => `  + ${text}`.trimEnd()),
  ];
}

function formatProof(count: number, exceptions: readonly string[]): string {
  if (count === 0) return 'the file already states it: no edit';
  const except =
    exceptions.length === 0
      ? ''
      : `, except for ${exceptions.join(' and ')}, which ${exceptions.length === 1 ? 'sends' : 'send'} no requests`;
  return `${formatCount(count, 'edit')}; proved: no verdict changes, for any crawler and URL${except}`;
}

function formatLimit({ message }: PreferenceLimit): string {
  return `note: ${message}`;
}
