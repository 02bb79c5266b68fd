// The implementations, and how to run each. An adapter reads questions as JSON, one a line, and writes an answer for each: `{allowed}` or
// `{error}`. Its first line is `{version}`.
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ADAPTERS = fileURLToPath(new URL('adapters/', import.meta.url));
const npm = (name) => [process.execPath, join(ADAPTERS, 'npm.mjs'), name];
/** Adapters for Python. By default it is Debian's, for which its packages are: another one may come first in the path. */
const python =
  (file) =>
  ({ python = '/usr/bin/python3' }) => [python, join(ADAPTERS, file)];

/** How to encode questions for an adapter without JSON: see adapters/google.cc. */
const toHex = ({ robots, agent, url }) =>
  [Buffer.from(robots, 'base64'), Buffer.from(agent), Buffer.from(url)]
    .map((bytes) => `x${bytes.toString('hex')}`)
    .join(' ');

/** Compiles Google's matcher. @returns the command that runs it. */
function buildGoogle({ robotstxt, scratch }) {
  const commit = execFileSync('git', ['-C', robotstxt, 'log', '-1', '--format=%h of %cs'], {
    encoding: 'utf8',
  }).trim();
  const program = join(scratch, 'google');
  const sources = [join(ADAPTERS, 'google.cc'), join(robotstxt, 'robots.cc')];
  const libraries = ['strings', 'throw_delegate', 'raw_logging_internal'].map((name) => `-labsl_${name}`);
  const define = `-DROBOTSTXT_VERSION="${commit}"`;
  execFileSync('g++', [
    '-std=c++17',
    '-O2',
    define,
    `-I${robotstxt}`,
    ...sources,
    '-o',
    program,
    ...libraries,
  ]);
  return [program];
}

/**
 * In the order of the tables. `getCommand` gets the options of run.mjs; `isBatch`: the adapter answers after its last question;
 * `isCasesOnly`: it cannot answer the recorded questions.
 */
export const IMPLEMENTATIONS = [
  {
    id: 'google',
    name: "Google's matcher",
    language: 'C++',
    source: 'github.com/google/robotstxt',
    users: 'Googlebot',
    getCommand: buildGoogle,
    encode: toHex,
  },
  {
    id: 'maycrawl',
    name: 'maycrawl',
    language: 'TypeScript',
    source: 'this project, profile `google`',
    users: '',
    getCommand: () => npm('maycrawl'),
  },
  {
    id: 'maycrawl-rfc9309',
    name: 'maycrawl, `rfc9309`',
    language: 'TypeScript',
    source: 'this project, profile `rfc9309`',
    users: '',
    getCommand: () => npm('maycrawl-rfc9309'),
  },
  {
    id: 'protego',
    name: 'Protego',
    language: 'Python',
    source: 'Debian `python3-protego`',
    users: 'Scrapy',
    getCommand: python('python-protego.py'),
  },
  {
    id: 'urllib',
    name: 'urllib.robotparser',
    language: 'Python',
    source: "Python's standard library, Debian `python3`",
    users: '',
    getCommand: python('python-robotparser.py'),
  },
  {
    id: 'robot-rules',
    name: 'WWW::RobotRules',
    language: 'Perl',
    source: 'Debian `libwww-robotrules-perl`',
    users: 'LWP::RobotUA',
    getCommand: () => ['perl', join(ADAPTERS, 'robot-rules.pl')],
  },
  {
    id: 'webrobots',
    name: 'webrobots',
    language: 'Ruby',
    source: 'Debian `ruby-webrobots`',
    users: 'Mechanize',
    getCommand: () => ['ruby', join(ADAPTERS, 'webrobots.rb')],
  },
  {
    id: 'robots-parser',
    name: 'robots-parser',
    language: 'JavaScript',
    source: 'npm',
    users: 'Crawlee',
    getCommand: () => npm('robots-parser'),
  },
  {
    id: 'crawlee',
    name: 'Crawlee',
    language: 'JavaScript',
    source: 'npm `@crawlee/utils`, `RobotsTxtFile`',
    users: 'Crawlee, with `respectRobotsTxtFile`',
    getCommand: () => npm('Crawlee'),
  },
  {
    id: 'exclusion',
    name: 'exclusion',
    language: 'JavaScript',
    source: 'npm',
    users: '',
    getCommand: () => npm('exclusion'),
  },
  {
    id: 'robots-txt-parser',
    name: 'robots-txt-parser',
    language: 'JavaScript',
    source: 'npm',
    users: '',
    getCommand: () => npm('robots-txt-parser'),
  },
  {
    id: 'robots-txt-guard',
    name: 'robots-txt-guard',
    language: 'JavaScript',
    source: 'npm, with `robots-txt-parse`',
    users: '',
    getCommand: () => npm('robots-txt-parse + robots-txt-guard'),
  },
  {
    id: 'wget',
    name: 'wget',
    language: 'C',
    source: 'Debian `wget`, as it fetches recursively',
    users: '',
    getCommand: () => [process.execPath, join(ADAPTERS, 'wget.mjs')],
    isBatch: true,
    isCasesOnly: true,
  },
];
