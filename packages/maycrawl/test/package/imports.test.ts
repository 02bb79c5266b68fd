import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

/** A module for `--import` that writes the URL of each module to stderr before it is loaded. */
const RECORDER = toDataUrl(`
  import { register } from 'node:module';
  register(${JSON.stringify(
    toDataUrl(`
      import { writeSync } from 'node:fs';
      export function load(url, context, next) {
        writeSync(2, url + '\\n');
        return next(url, context);
      }
    `),
  )});
`);

function toDataUrl(source: string): string {
  return `data:text/javascript,${encodeURIComponent(source)}`;
}

/** Packages outside this repository, and modules of Node and of the client that are loaded on first use. */
const RECORDED = [
  /(?<=\/node_modules\/)(?:@[^/]+\/)?[^/]+/,
  /^node:(?:http2?|https|sqlite|tls|worker_threads|zlib)$/,
  /client\/dist\/(?:store\/(?:sqlite|postgres)|http\/connector|robots\/(?:http|ftp))\.js$/,
];

/** @returns the modules that a program loads and that match {@link RECORDED}. */
function listImports(args: readonly string[]): string[] {
  const script = `${JSON.stringify(process.execPath)} --import "$0" "$@" 2>&1 >/dev/null`;
  const output = execFileSync('sh', ['-c', script, RECORDER, ...args], { cwd: ROOT, encoding: 'utf8' });
  const urls = output.trimEnd().split('\n');
  expect(urls.some((url) => url.includes('/packages/'))).toBe(true);
  return [...new Set(urls.flatMap((url) => RECORDED.flatMap((each) => each.exec(url)?.[0] ?? [])))].sort();
}

const COMMAND = join('packages', 'maycrawl', 'bin', 'maycrawl.js');

describe('imports', () => {
  test('@maycrawl/core loads no other package', () => {
    expect(listImports(['--input-type=module', '--eval', "import '@maycrawl/core'"])).toEqual([]);
  });

  test.each(['@maycrawl/client', 'maycrawl'])(
    '%s loads no HTTP client, no FTP client, no list of public suffixes and no database',
    (name) => {
      expect(listImports(['--input-type=module', '--eval', `import '${name}'`])).toEqual([
        'ipaddr.js',
        'lru-cache',
      ]);
    },
  );

  test('a client loads the modules for fetching when it is created, because Node caches a failed import', () => {
    const program = `
      import { RobotsClient } from '@maycrawl/client';
      new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
    `;
    expect(listImports(['--input-type=module', '--eval', program])).toEqual(
      expect.arrayContaining([
        ...['basic-ftp', 'tldts', 'undici'],
        ...['connector', 'ftp', 'http'].map((name) => expect.stringContaining(`/${name}.js`) as unknown),
      ]),
    );
  });

  test('maycrawl --version loads only the parser of the command line', () => {
    expect(listImports([COMMAND, '--version'])).toEqual(['commander', 'picocolors']);
  });

  test('a check of a file loads no HTTP client and no database', () => {
    expect(listImports([COMMAND, 'check', '--robots', 'README.md', '/'])).toEqual([
      'commander',
      'picocolors',
    ]);
  });
});
