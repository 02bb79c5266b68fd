// `maycrawl audit`: its commands. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../../options/command.ts';
import {
  AUDIT_OPTIONS,
  COMPARE_OPTIONS,
  FINDINGS_OPTIONS,
  LINKS_OPTIONS,
  REPLAY_OPTIONS,
  REPORT_OPTIONS,
  TREND_OPTIONS,
} from './options.ts';

const RUN: readonly [string, string] = ['<run>', 'the file of the run, or its folder'];

export const AUDIT_COMMANDS: readonly AnyCommand[] = [
  defineCommand({
    name: 'audit',
    description: 'crawl a site, and report which pages can be crawled and indexed, and why others cannot',
    arguments: [['[url...]', 'where to start']],
    options: AUDIT_OPTIONS,
    section: 'audit',
    run: async (options, urls) => (await import('./audit.ts')).auditCommand(urls, options),
  }),
  defineCommand({
    name: 'audit report',
    description: 'write reports about a run; exit 1: a URL has a reason of --fail-on',
    arguments: [RUN],
    options: REPORT_OPTIONS,
    run: async (options, [path = '']) => (await import('./report.ts')).auditReport(path, options),
  }),
  defineCommand({
    name: 'audit findings',
    description: 'list what is wrong with the URLs of a run, the most urgent first (docs/findings.md)',
    arguments: [RUN],
    options: FINDINGS_OPTIONS,
    run: async (options, [path = '']) => (await import('./findings.ts')).auditFindings(path, options),
  }),
  defineCommand({
    name: 'audit links',
    description: 'list the links of a run, with their texts and the crawlers that follow them',
    arguments: [RUN],
    options: LINKS_OPTIONS,
    run: async (options, [path = '']) => (await import('./links.ts')).auditLinks(path, options),
  }),
  defineCommand({
    name: 'audit compare',
    description: 'compare two runs; exit 1: a URL is no longer indexable',
    arguments: [
      ['<before>', 'the file of a run'],
      ['<after>', 'the file of a later one'],
    ],
    options: COMPARE_OPTIONS,
    run: async (options, [before = '', after = '']) =>
      (await import('./compare.ts')).auditCompare(before, after, options),
  }),
  defineCommand({
    name: 'audit trend',
    description: 'list the runs in a folder with the numbers of indexable URLs and errors, the oldest first',
    arguments: [['<folder>', 'a folder of audits, each in a folder of its own']],
    options: TREND_OPTIONS,
    run: async (options, [folder = '']) => (await import('./trend.ts')).auditTrend(folder, options),
  }),
  defineCommand({
    name: 'audit replay',
    description:
      'find what another robots.txt would change in a run, without requests; exit 1: pages would be lost',
    arguments: [RUN],
    options: REPLAY_OPTIONS,
    run: async (options, [path = '']) => (await import('./replay.ts')).auditReplay(path, options),
  }),
];
