// The options of the commands in `program.ts`, without those of each command that fetches robots.txt. The module loads no package, because
// the command loads it at every start.
import {
  CACHE_DATABASE,
  JSON_OUTPUT,
  MAX_BYTES,
  MAX_ORIGINS,
  type ReadingOptions,
} from '../options/fetch-options.ts';
import type { OptionValues } from '../options/option-record.ts';

/** Options of `maycrawl check`. */
export const CHECK_OPTIONS = {
  robots: {
    type: 'text',
    placeholder: '<file|url|->',
    description: "the robots.txt (default: that of each URL's origin)",
  },
  urls: {
    type: 'text',
    placeholder: '<file|url|->',
    description: 'a list of URLs, a sitemap or a feed instead of URLs; requires --robots',
  },
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler or product token',
    default: 'Googlebot',
    isList: true,
  },
  page: {
    type: 'flag',
    description: 'request the page, and print whether the crawlers may fetch and index it and its resources',
  },
  normalize: {
    type: 'flag',
    description: 'match URLs as given, without converting them to request form',
    default: 'true',
  },
  json: { type: 'flag', description: 'print one JSON object a line for each URL and crawler' },
} as const;
export type CheckOptions = OptionValues<typeof CHECK_OPTIONS> & ReadingOptions;

/** Options of `maycrawl preferences`. */
export const PREFERENCES_OPTIONS = {
  robots: {
    type: 'text',
    placeholder: '<file|url|->',
    description: "the robots.txt (default: that of each URL's origin)",
  },
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler or product token',
    default: 'GPTBot',
    isList: true,
  },
  header: {
    type: 'text',
    placeholder: '<name: value>',
    description: 'a header of the page, in place of requesting it',
    isList: true,
  },
  html: {
    type: 'text',
    placeholder: '<file>',
    description: 'the HTML of the page, in place of requesting it',
  },
  tdmrep: {
    type: 'text',
    placeholder: '<file>',
    description: 'the tdmrep.json of the site, in place of requesting it',
  },
  rsl: { type: 'text', placeholder: '<file>', description: 'an RSL document that applies to the URLs' },
  policyToken: {
    type: 'text',
    placeholder: '<name>',
    description: 'a further product token whose groups decide about AI training',
    isList: true,
  },
  crawlers: {
    type: 'text',
    placeholder: '<file>',
    description: 'a JSON file with crawlers: its policy tokens are read, too',
  },
  json: { type: 'flag', description: 'print one JSON object a line for each URL and crawler' },
} as const;
export type PreferencesOptions = OptionValues<typeof PREFERENCES_OPTIONS> & ReadingOptions;

/** Options of `maycrawl preferences set`. */
export const SET_PREFERENCES_OPTIONS = {
  refuse: {
    type: 'words',
    placeholder: '<purposes>',
    choices: ['search', 'ai-train', 'ai-input'],
    description: 'uses to refuse, with commas between them: search, ai-train, ai-input',
  },
  allow: {
    type: 'words',
    placeholder: '<purposes>',
    choices: ['search', 'ai-train', 'ai-input'],
    description: 'uses to allow, with commas between them',
  },
  formats: {
    type: 'text',
    placeholder: '<names>',
    description:
      'formats with commas between them, also usage-token and tdmrep (default: content-usage,content-signal,policy-token)',
  },
  policyToken: {
    type: 'text',
    placeholder: '<name>',
    description: 'a further product token whose groups decide about AI training',
    isList: true,
  },
  output: {
    type: 'text',
    placeholder: '<file>',
    description: 'path of the new file, which can be the same (default: standard output)',
    letter: 'o',
  },
  tdmrep: {
    type: 'text',
    placeholder: '<file>',
    description: 'the tdmrep.json to create or change, for the format tdmrep',
  },
  check: { type: 'flag', description: 'write nothing, and exit with 1 if the file needs edits' },
  json: { type: 'flag', description: 'print the edits as one JSON object, in place of the file' },
} as const;
export type SetPreferencesCommandOptions = OptionValues<typeof SET_PREFERENCES_OPTIONS> & ReadingOptions;

/** Options of `maycrawl diff`. */
export const DIFF_OPTIONS = {
  agent: {
    type: 'text',
    placeholder: '<name>',
    description: 'a crawler or product token (default: all)',
    isList: true,
  },
  urls: {
    type: 'text',
    placeholder: '<file|url|->',
    description:
      'list the changes for these URLs: a list with one URL a line, a sitemap, a sitemap index or a feed',
  },
  maxStates: {
    type: 'count',
    placeholder: '<count>',
    range: [1, undefined],
    description: 'maximum number of states in the proofs (default: 2000000)',
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type DiffOptions = OptionValues<typeof DIFF_OPTIONS> & ReadingOptions;

/** Options of `maycrawl lint`. */
export const LINT_OPTIONS = {
  fix: { type: 'flag', description: 'apply fixes that are proved to change no verdict' },
  format: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['text', 'json', 'sarif', 'github', 'code-quality'],
    description: 'output format: text, json, sarif, github or code-quality (GitLab)',
    default: 'text',
  },
  severity: {
    type: 'choice',
    placeholder: '<name>',
    choices: ['info', 'warning', 'error'],
    description: 'lowest severity to report: info, warning or error',
    default: 'info',
  },
  rulesUrl: {
    type: 'text',
    placeholder: '<url>',
    description: 'folder with the pages of the findings (docs/rules), for links in SARIF',
  },
} as const;
export type LintCommandOptions = OptionValues<typeof LINT_OPTIONS> & ReadingOptions;

/** Options of `maycrawl lsp`. */
export const LSP_OPTIONS = {
  stdio: {
    type: 'flag',
    description: 'use standard input and output, as without this option; editors add it',
  },
  rulesUrl: {
    type: 'text',
    placeholder: '<url>',
    description: 'folder with the pages of the findings (docs/rules), for links of diagnostics',
  },
} as const;
export type LspOptions = OptionValues<typeof LSP_OPTIONS>;

/** Options of `maycrawl minify`. */
export const MINIFY_OPTIONS = {
  output: {
    type: 'text',
    placeholder: '<file>',
    description: 'path of the new file (default: standard output)',
    letter: 'o',
  },
  comments: { type: 'flag', description: 'keep the comments of the remaining records' },
} as const;
export type MinifyCommandOptions = OptionValues<typeof MINIFY_OPTIONS> & ReadingOptions;

/** Options of `maycrawl parse`. */
export const PARSE_OPTIONS = { json: JSON_OUTPUT as typeof JSON_OUTPUT } as const;
export type ParseCommandOptions = OptionValues<typeof PARSE_OPTIONS> & ReadingOptions;

/** Options of `maycrawl crawlers`. */
export const CRAWLERS_OPTIONS = {
  purpose: {
    type: 'text',
    placeholder: '<name>',
    description: 'only crawlers for this purpose, such as search or ai-train',
    isList: true,
  },
  kind: {
    type: 'text',
    placeholder: '<name>',
    description: 'only crawlers of this kind: crawler, user-triggered-fetcher, policy-token or software',
    isList: true,
  },
  operator: { type: 'text', placeholder: '<name>', description: 'only crawlers of this operator' },
  crawlers: {
    type: 'text',
    placeholder: '<file>',
    description: 'add the crawlers of a JSON file (docs/crawlers.md)',
  },
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type CrawlersOptions = OptionValues<typeof CRAWLERS_OPTIONS>;

/** Options of `maycrawl cache clear`. */
export const CACHE_CLEAR_OPTIONS = { database: CACHE_DATABASE as typeof CACHE_DATABASE } as const;
export type CacheClearOptions = OptionValues<typeof CACHE_CLEAR_OPTIONS>;

/** Options of the commands that show the cache. */
export const CACHE_OPTIONS = {
  database: CACHE_DATABASE as typeof CACHE_DATABASE,
  json: JSON_OUTPUT as typeof JSON_OUTPUT,
} as const;
export type CacheOptions = OptionValues<typeof CACHE_OPTIONS>;

/** Options of `maycrawl cache prune`. */
export const CACHE_PRUNE_OPTIONS = {
  database: CACHE_DATABASE as typeof CACHE_DATABASE,
  maxBytes: MAX_BYTES as typeof MAX_BYTES,
  maxOrigins: MAX_ORIGINS as typeof MAX_ORIGINS,
  maxAge: {
    type: 'duration',
    placeholder: '<time>',
    range: ['1m', undefined],
    description: 'maximum time since the last use of a site (default: 90d)',
  },
} as const;
export type CachePruneOptions = OptionValues<typeof CACHE_PRUNE_OPTIONS>;
