// `maycrawl parse`: the groups, rules, sitemaps, other records and diagnostics of a robots.txt.
import {
  describeDiagnostic,
  diagnose,
  type Group,
  getPolicyCode,
  getPolicySummary,
  type RobotsTxt,
} from '@maycrawl/core';
import type { Source } from '../../batch/judge.ts';
import { documentReport } from '../../reports/document.ts';
import { toJson, visible } from '../../text/printable.ts';
import { describeSource, isUnreachable, SourceReader } from '../input/source.ts';
import { formatFindings } from '../output/findings.ts';
import { getColors } from '../output/terminal.ts';
import type { ParseCommandOptions } from './options.ts';

/** Describes the document on standard output. @returns the exit code, 0. */
export async function parseCommand(name: string, options: ParseCommandOptions): Promise<number> {
  const reader = new SourceReader(options);
  const source = await reader.read(name).finally(() => reader.close());
  const text = options.json ? `${toJson(toReport(source), 2)}\n` : describe(source);
  process.stdout.write(text);
  return isUnreachable(source) ? 2 : 0;
}

function toReport({ name, policy, message, hops, robots }: Source): object {
  const summary = getPolicySummary(getPolicyCode(policy));
  return {
    robots: name,
    policy: summary,
    ...(message !== undefined && { message }),
    hops,
    ...documentReport(robots),
  };
}

function describe(source: Source): string {
  const { name, robots } = source;
  const { bold, dim } = getColors(process.stdout);
  const groups = robots.groups();
  const sitemaps = robots.sitemaps();
  const state = describeSource(source);
  const inGroups = new Set(groups.flatMap(({ others }) => others.map(({ line }) => line)));
  const outside = robots.records().filter(({ kind, line }) => kind === 'other' && !inGroups.has(line));
  const lines = [
    `${bold(visible(name))} ${dim(`(${visible(state)}; ${robots.bytes.length} bytes; profile ${robots.profile.name})`)}`,
    ...groups.flatMap((group) => ['', ...describeGroup(group)]),
  ];
  if (sitemaps.length > 0) lines.push('', bold('Sitemaps'));
  for (const { line, text } of sitemaps) lines.push(row(line, visible(text)));
  if (outside.length > 0) lines.push('', bold('Records in no group'));
  for (const { line, field, text } of outside) lines.push(row(line, `${visible(field)}: ${visible(text)}`));
  return `${lines.concat(describeDiagnostics(robots)).join('\n')}\n`;
}

function describeGroup({ userAgents, rules, others }: Group): string[] {
  const { bold, green, red, dim } = getColors(process.stdout);
  const names = userAgents.map(({ text, productToken: token }) =>
    token === text.toLowerCase()
      ? visible(text)
      : `${visible(text)} (Google reads ${token === '' ? 'no name' : token})`,
  );
  const lines = [bold(`Group for ${names.join(', ')}`)];
  for (const { kind, text, line } of rules) {
    const word = kind === 'allow' ? green('allow   ') : red('disallow');
    lines.push(row(line, `${word}  ${visible(text)}`));
  }
  if (rules.length === 0) lines.push(dim('        no rules'));
  for (const { field, text, line } of others)
    lines.push(row(line, dim(`${visible(field)}: ${visible(text)}`)));
  return lines;
}

function describeDiagnostics(robots: RobotsTxt): string[] {
  const { bold } = getColors(process.stdout);
  const diagnostics = diagnose(robots);
  if (diagnostics.length === 0) return [];
  return ['', bold('Diagnostics'), ...formatFindings(diagnostics, describeDiagnostic)];
}

function row(line: number, text: string): string {
  return `${String(line).padStart(6)}  ${text}`;
}
