/**
 * The commands, with their options. The module of each is loaded only when it is called.
 *
 * @module
 */
import { type AnyCommand, defineCommand } from '../options/command.ts';
import { CACHE_DATABASE, FETCHING, JSON_OUTPUT } from '../options/fetch-options.ts';
import { choice, count, duration, flag, list, size, text } from '../options/option.ts';
import { AUDIT_COMMANDS } from './audit/program.ts';
import type { CacheOptions, CachePruneOptions } from './cache.ts';
import type { CheckOptions } from './check/check.ts';
import type { DiffOptions } from './diff/diff.ts';
import type { LintCommandOptions } from './lint/lint.ts';
import type { MinifyCommandOptions } from './minify.ts';
import type { ParseCommandOptions } from './parse.ts';
import { SERVE_COMMAND } from './serve/program.ts';
import type { VerifyOptions } from './verify/verify.ts';
import { WATCH_COMMANDS } from './watch/program.ts';

const FILE: readonly [string, string] = ['<file|url|->', 'the robots.txt'];

const FILE_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CheckOptions>({
    name: 'check',
    description: 'decide for each URL and crawler; exit 0: all allowed, 1: any disallowed, 2: no verdict',
    arguments: [['[url...]', 'absolute URLs; with --robots FILE also paths']],
    options: {
      robots: text('<file|url|->', "the robots.txt (default: that of each URL's origin)"),
      urls: text(
        '<file|url|->',
        'a list of URLs of any length, a sitemap or a feed instead of URLs; needs --robots',
      ),
      agent: list(text('<name>', 'a crawler or product token', { default: 'Googlebot' })),
      normalize: flag('match URLs as they are, not in the form of a request', { default: 'true' }),
      json: flag('print one JSON object a line for each URL and crawler'),
      ...FETCHING,
    },
    run: async (options, urls) => (await import('./check/check.ts')).check(urls, options),
  }),
  defineCommand<DiffOptions>({
    name: 'diff',
    description: 'what an edit changes, for every URL; exit 0: nothing, 1: something, 2: not decided',
    arguments: [
      ['<old>', 'a file, a URL, - or git:REVISION:PATH'],
      ['<new>', 'the same'],
    ],
    options: {
      agent: list(text('<name>', 'a crawler or product token (default: all)')),
      urls: text(
        '<file|url|->',
        'list the changes of these URLs: one a line, a sitemap, a sitemap index or a feed',
      ),
      maxStates: count('<count>', [1, Number.POSITIVE_INFINITY], 'states of the proofs (default: 2000000)'),
      json: JSON_OUTPUT,
      ...FETCHING,
    },
    run: async (options, [before = '', after = '']) =>
      (await import('./diff/diff.ts')).diff(before, after, options),
  }),
  defineCommand<LintCommandOptions>({
    name: 'lint',
    description:
      'what is wrong or odd in a robots.txt; exit 0: nothing worse than info, 1: warnings or errors',
    arguments: [['<file|url|-...>', 'robots.txt files']],
    options: {
      fix: flag('fix in the file what changes no verdict, which is proved'),
      format: choice('<name>', ['text', 'json', 'sarif', 'github'], 'output: text, json, sarif or github', {
        default: 'text',
      }),
      severity: choice(
        '<name>',
        ['info', 'warning', 'error'],
        'lowest severity to report: info, warning or error',
        { default: 'info' },
      ),
      ...FETCHING,
    },
    run: async (options, names) => (await import('./lint/lint.ts')).lintCommand(names, options),
  }),
  defineCommand<VerifyOptions>({
    name: 'verify',
    description: 'whether a robots.txt meets its expectations; exit 0: all, 1: not all, 2: not decided',
    arguments: [FILE],
    options: {
      tests: text('<file>', 'the expectations', { default: 'robots.test.yaml' }),
      init: flag('write expectations that the robots.txt meets today'),
      format: choice('<name>', ['text', 'json', 'junit', 'github'], 'output: text, json, junit or github', {
        default: 'text',
      }),
      ...FETCHING,
    },
    run: async (options, [name = '']) => (await import('./verify/verify.ts')).verify(name, options),
  }),
  defineCommand<MinifyCommandOptions>({
    name: 'minify',
    description: 'a smaller file with the same verdicts for every crawler and URL, which is proved',
    arguments: [FILE],
    options: {
      output: text('<file>', 'where it is written (default: standard output)', { letter: 'o' }),
      comments: flag('keep the comments of the records that stay'),
      ...FETCHING,
    },
    run: async (options, [name = '']) => (await import('./minify.ts')).minifyCommand(name, options),
  }),
  defineCommand<object>({
    name: 'batch',
    description:
      'answer questions in JSON, one a line, from standard input; exit 2 if any line has no verdict',
    options: {},
    run: async () => {
      const { batch } = await import('./batch.ts');
      const { openStandardInput } = await import('../input/standard-input.ts');
      return batch(openStandardInput());
    },
  }),
  defineCommand<ParseCommandOptions>({
    name: 'parse',
    description: 'show the groups, rules, sitemaps, other records and diagnostics of a robots.txt',
    arguments: [FILE],
    options: { json: JSON_OUTPUT, ...FETCHING },
    run: async (options, [name = '']) => (await import('./parse.ts')).parseCommand(name, options),
  }),
];

const CRAWLERS_COMMAND: AnyCommand = defineCommand<{ readonly json?: boolean }>({
  name: 'crawlers',
  description: 'list the crawlers of the catalogue, their product tokens, and what they obey',
  options: { json: JSON_OUTPUT },
  run: async (options) => (await import('./crawlers.ts')).crawlers(options),
});

const loadCache = () => import('./cache.ts');
const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];

const CACHE_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CacheOptions>({
    name: 'cache list',
    description: 'the sites in the cache',
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options) => (await loadCache()).listCache(options),
  }),
  defineCommand<CacheOptions>({
    name: 'cache show',
    description: 'what is stored of a site',
    arguments: [SITE],
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options, [site = '']) => (await loadCache()).showCache(site, options),
  }),
  defineCommand<CacheOptions>({
    name: 'cache history',
    description: 'what happened to a site, the newest first',
    arguments: [SITE],
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options, [site = '']) => (await loadCache()).showHistory(site, options),
  }),
  defineCommand<CachePruneOptions>({
    name: 'cache prune',
    description: 'remove what exceeds the limits, and what was not used for long',
    options: {
      database: CACHE_DATABASE,
      maxBytes: size('<size>', 'bytes that may stay, such as 500MB (default: 512 MiB; in PostgreSQL 4 GiB)'),
      maxOrigins: count('<count>', [1, Number.POSITIVE_INFINITY], 'sites that may stay (default: 1000000)'),
      maxAge: duration(
        '<time>',
        ['1m', undefined],
        'time that a site stays after its last use (default: 90d)',
      ),
    },
    run: async (options) => (await loadCache()).pruneCache(options),
  }),
  defineCommand<Pick<CacheOptions, 'database'>>({
    name: 'cache clear',
    description: 'remove a site, or all',
    arguments: [['[site]', 'a URL or a host']],
    options: { database: CACHE_DATABASE },
    run: async (options, [site]) => (await loadCache()).clearCache(site, options),
  }),
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...FILE_COMMANDS,
  SERVE_COMMAND,
  ...WATCH_COMMANDS,
  ...AUDIT_COMMANDS,
  CRAWLERS_COMMAND,
  ...CACHE_COMMANDS,
];

/** What the groups of commands are. */
export const GROUPS: Readonly<Record<string, string>> = {
  cache: 'the responses of sites that are stored: list, show, history, prune, clear',
  watch: "store every version of sites' robots.txt, and report what changes mean",
};
