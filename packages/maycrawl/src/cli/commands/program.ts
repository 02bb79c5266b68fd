// The commands, with their options. The module of each is loaded only when it is called.
import { type AnyCommand, defineCommand } from '../options/command.ts';
import { CACHE_DATABASE, CACHE_LIMITS, FETCHING, JSON_OUTPUT } from '../options/fetch-options.ts';
import { choice, count, duration, flag, list, text, words } from '../options/option.ts';
import { AUDIT_COMMANDS } from './audit/program.ts';
import type { CacheOptions, CachePruneOptions } from './cache.ts';
import { CENSUS_COMMANDS } from './census/program.ts';
import type { CheckOptions } from './check/check.ts';
import { CONFORMANCE_COMMANDS } from './conformance/program.ts';
import type { CrawlersOptions } from './crawlers.ts';
import type { DiffOptions } from './diff/diff.ts';
import { IDENTITY_COMMANDS } from './identity/program.ts';
import type { LintCommandOptions } from './lint/lint.ts';
import { LOGS_COMMANDS } from './logs/program.ts';
import type { LspOptions } from './lsp.ts';
import { MCP_COMMAND } from './mcp/program.ts';
import type { MinifyCommandOptions } from './minify.ts';
import type { ParseCommandOptions } from './parse.ts';
import type { PreferencesOptions } from './preferences/preferences.ts';
import type { SetPreferencesCommandOptions } from './preferences/set.ts';
import { SERVE_COMMAND } from './serve/program.ts';
import { VERIFY_COMMAND } from './verify/program.ts';
import { WATCH_COMMANDS } from './watch/program.ts';

const FILE: readonly [string, string] = ['<file|url|->', 'the robots.txt'];

const PURPOSES = (description: string) =>
  words('<purposes>', ['search', 'ai-train', 'ai-input'], description);

const FILE_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CheckOptions>({
    name: 'check',
    description:
      'decide whether crawlers may fetch URLs; exit 0: all allowed, 1: any disallowed, 2: no verdict',
    arguments: [['[url...]', 'absolute URLs; with --robots FILE also paths']],
    options: {
      robots: text('<file|url|->', "the robots.txt (default: that of each URL's origin)"),
      urls: text('<file|url|->', 'a list of URLs, a sitemap or a feed instead of URLs; requires --robots'),
      agent: list(text('<name>', 'a crawler or product token', { default: 'Googlebot' })),
      page: flag('request the page, and print whether the crawlers may fetch and index it and its resources'),
      normalize: flag('match URLs as given, without converting them to request form', { default: 'true' }),
      json: flag('print one JSON object a line for each URL and crawler'),
      ...FETCHING,
    },
    run: async (options, urls) =>
      options.page === true
        ? (await import('./check/page.ts')).checkPages(urls, options)
        : (await import('./check/check.ts')).check(urls, options),
  }),
  defineCommand<PreferencesOptions>({
    name: 'preferences',
    description: 'read what sites declare about the use of their content: search, AI training, AI answers',
    arguments: [['<url...>', 'absolute URLs']],
    options: {
      robots: text('<file|url|->', "the robots.txt (default: that of each URL's origin)"),
      agent: list(text('<name>', 'a crawler or product token', { default: 'GPTBot' })),
      header: list(text('<name: value>', 'a header of the page, in place of requesting it')),
      html: text('<file>', 'the HTML of the page, in place of requesting it'),
      tdmrep: text('<file>', 'the tdmrep.json of the site, in place of requesting it'),
      rsl: text('<file>', 'an RSL document that applies to the URLs'),
      policyToken: list(text('<name>', 'a further product token whose groups decide about AI training')),
      crawlers: text('<file>', 'a JSON file with crawlers: its policy tokens are read, too'),
      json: flag('print one JSON object a line for each URL and crawler'),
      ...FETCHING,
    },
    run: async (options, urls) => (await import('./preferences/preferences.ts')).preferences(urls, options),
  }),
  defineCommand<SetPreferencesCommandOptions>({
    name: 'preferences set',
    description:
      'write what crawlers may use the content for into a robots.txt; refuses (exit 2) if any URL would become blocked or allowed',
    arguments: [FILE],
    options: {
      refuse: PURPOSES('uses to refuse, with commas between them: search, ai-train, ai-input'),
      allow: PURPOSES('uses to allow, with commas between them'),
      formats: text(
        '<names>',
        'formats with commas between them, also usage-token and tdmrep (default: content-usage,content-signal,policy-token)',
      ),
      policyToken: list(text('<name>', 'a further product token whose groups decide about AI training')),
      output: text('<file>', 'path of the new file, which can be the same (default: standard output)', {
        letter: 'o',
      }),
      tdmrep: text('<file>', 'the tdmrep.json to create or change, for the format tdmrep'),
      check: flag('write nothing, and exit with 1 if the file needs edits'),
      json: flag('print the edits as one JSON object, in place of the file'),
      ...FETCHING,
    },
    run: async (options, [name = '']) =>
      (await import('./preferences/set.ts')).setPreferencesCommand(name, options),
  }),
  defineCommand<DiffOptions>({
    name: 'diff',
    description: 'find what an edit changes, for every URL; exit 0: no change, 1: a change, 2: undecided',
    arguments: [
      ['<old>', 'a file, a URL, - or git:REVISION:PATH'],
      ['<new>', 'likewise'],
    ],
    options: {
      agent: list(text('<name>', 'a crawler or product token (default: all)')),
      urls: text(
        '<file|url|->',
        'list the changes for these URLs: a list with one URL a line, a sitemap, a sitemap index or a feed',
      ),
      maxStates: count(
        '<count>',
        [1, Number.POSITIVE_INFINITY],
        'maximum number of states in the proofs (default: 2000000)',
      ),
      json: JSON_OUTPUT,
      ...FETCHING,
    },
    run: async (options, [before = '', after = '']) =>
      (await import('./diff/diff.ts')).diff(before, after, options),
  }),
  defineCommand<LintCommandOptions>({
    name: 'lint',
    description: 'find mistakes in a robots.txt; exit 0: no finding above info, 1: warnings or errors',
    arguments: [['<file|url|-...>', 'robots.txt files']],
    options: {
      fix: flag('apply fixes that are proved to change no verdict'),
      format: choice(
        '<name>',
        ['text', 'json', 'sarif', 'github', 'code-quality'],
        'output format: text, json, sarif, github or code-quality (GitLab)',
        {
          default: 'text',
        },
      ),
      severity: choice(
        '<name>',
        ['info', 'warning', 'error'],
        'lowest severity to report: info, warning or error',
        { default: 'info' },
      ),
      rulesUrl: text('<url>', 'folder with the pages of the findings (docs/rules), for links in SARIF'),
      ...FETCHING,
    },
    run: async (options, names) => (await import('./lint/lint.ts')).lintCommand(names, options),
  }),
  defineCommand<LspOptions>({
    name: 'lsp',
    description: 'serve an editor: the language server for robots.txt, on standard input and output',
    options: {
      stdio: flag('use standard input and output, as without this option; editors add it'),
      rulesUrl: text('<url>', 'folder with the pages of the findings (docs/rules), for links of diagnostics'),
    },
    run: async (options) => (await import('./lsp.ts')).lsp(options),
  }),
  VERIFY_COMMAND,
  defineCommand<MinifyCommandOptions>({
    name: 'minify',
    description: 'write a smaller file that is proved to have the same verdicts for every crawler and URL',
    arguments: [FILE],
    options: {
      output: text('<file>', 'path of the new file (default: standard output)', { letter: 'o' }),
      comments: flag('keep the comments of the remaining records'),
      ...FETCHING,
    },
    run: async (options, [name = '']) => (await import('./minify.ts')).minifyCommand(name, options),
  }),
  defineCommand<object>({
    name: 'batch',
    description:
      'decide for questions in JSON, one a line on standard input; exit 2 if any line has no verdict',
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

const CRAWLERS_COMMAND: AnyCommand = defineCommand<CrawlersOptions>({
  name: 'crawlers',
  description:
    'list known crawlers: operator, kind, purposes, and whether they obey robots.txt; of named ones, also verification, cache and outages',
  arguments: [['[crawler...]', 'names of crawlers']],
  options: {
    purpose: list(text('<name>', 'only crawlers for this purpose, such as search or ai-train')),
    kind: list(
      text('<name>', 'only crawlers of this kind: crawler, user-triggered-fetcher, policy-token or software'),
    ),
    operator: text('<name>', 'only crawlers of this operator'),
    crawlers: text('<file>', 'add the crawlers of a JSON file (docs/crawlers.md)'),
    json: JSON_OUTPUT,
  },
  run: async (options, names) => (await import('./crawlers.ts')).crawlers(names, options),
});

const loadCache = () => import('./cache.ts');
const SITE: readonly [string, string] = ['<site>', 'a URL or a host'];

const CACHE_COMMANDS: readonly AnyCommand[] = [
  defineCommand<CacheOptions>({
    name: 'cache list',
    description: 'list the sites in the cache',
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options) => (await loadCache()).listCache(options),
  }),
  defineCommand<CacheOptions>({
    name: 'cache show',
    description: 'print the stored response of a site',
    arguments: [SITE],
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options, [site = '']) => (await loadCache()).showCache(site, options),
  }),
  defineCommand<CacheOptions>({
    name: 'cache history',
    description: 'print the events of a site, the newest first',
    arguments: [SITE],
    options: { database: CACHE_DATABASE, json: JSON_OUTPUT },
    run: async (options, [site = '']) => (await loadCache()).showHistory(site, options),
  }),
  defineCommand<CachePruneOptions>({
    name: 'cache prune',
    description: 'remove responses beyond the limits, and unused ones',
    options: {
      database: CACHE_DATABASE,
      ...CACHE_LIMITS,
      maxAge: duration(
        '<time>',
        ['1m', undefined],
        'maximum time since the last use of a site (default: 90d)',
      ),
    },
    run: async (options) => (await loadCache()).pruneCache(options),
  }),
  defineCommand<Pick<CacheOptions, 'database'>>({
    name: 'cache clear',
    description: 'remove one site, or all sites',
    arguments: [['[site]', 'a URL or a host']],
    options: { database: CACHE_DATABASE },
    run: async (options, [site]) => (await loadCache()).clearCache(site, options),
  }),
];

/** All commands, in the order of the help. */
export const COMMANDS: readonly AnyCommand[] = [
  ...FILE_COMMANDS,
  SERVE_COMMAND,
  MCP_COMMAND,
  ...WATCH_COMMANDS,
  ...AUDIT_COMMANDS,
  ...CENSUS_COMMANDS,
  ...LOGS_COMMANDS,
  ...IDENTITY_COMMANDS,
  ...CONFORMANCE_COMMANDS,
  CRAWLERS_COMMAND,
  ...CACHE_COMMANDS,
];

/** Descriptions of the groups of commands. */
export const GROUPS: Readonly<Record<string, string>> = {
  census: 'judge the robots.txt files of web archives for many crawlers',
  cache: 'stored responses of sites: list, show, history, prune, clear',
  conformance: 'test how crawlers treat robots.txt: serve',
  identity: 'the identity with which a crawler signs its requests: init, rotate, publish, check, record',
  'logs ranges': 'stored lists of the addresses of crawlers: update, list',
  watch: 'monitor the robots.txt of sites: store every version, and report the impact of changes',
};
