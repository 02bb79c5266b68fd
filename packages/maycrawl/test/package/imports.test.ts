import { execFile } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { isBuiltin } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BIN, ownCache, ROOT } from '../support/run.ts';

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

/** @returns the URLs of the modules that a program loads with `import`. */
async function listUrls(...args: readonly string[]): Promise<string[]> {
  const output = await new Promise<string>((resolve, reject) => {
    const options = { cwd: ROOT, env: ownCache() };
    execFile(process.execPath, ['--import', RECORDER, ...args], options, (error, _stdout, stderr) => {
      // Exit code 1 is a result, such as a disallowed URL.
      if (error === null || error.code === 1) resolve(stderr);
      else reject(new Error(stderr, { cause: error }));
    });
  });
  const urls = output.split('\n').filter((line) => /^(?:file|node):/.test(line));
  expect(urls.some((url) => url.includes('/packages/'))).toBe(true);
  return urls;
}

const PACKAGE = /(?<=\/node_modules\/)(?:@[^/]+\/)?[^/]+/;
/** Packages outside this repository, and modules of Node and of the client that are loaded on first use. */
const RECORDED = [
  PACKAGE,
  /^node:(?:http2?|https|sqlite|tls|worker_threads|zlib)$/,
  /client\/dist\/(?:store\/(?:sqlite|postgres)|http\/connector|robots\/(?:http|ftp\/fetch-ftp))\.js$/,
];

/** @returns the modules that a program loads and that match {@link RECORDED}. */
async function listImports(...args: readonly string[]): Promise<string[]> {
  const urls = await listUrls(...args);
  return [...new Set(urls.flatMap((url) => RECORDED.flatMap((each) => each.exec(url)?.[0] ?? [])))].sort();
}

const runProgram = (program: string): Promise<string[]> =>
  listImports('--input-type=module', '--eval', program);

describe('imports of the libraries', () => {
  test('@maycrawl/core loads no other package', async () => {
    expect(await runProgram("import '@maycrawl/core'")).toEqual([]);
  });

  test.each(['@maycrawl/client', 'maycrawl'])(
    '%s loads no HTTP client, no FTP client, no list of public suffixes and no database',
    async (name) => {
      expect(await runProgram(`import '${name}'`)).toEqual(['lru-cache']);
    },
  );

  test('a client loads the modules for fetching when it is created, because Node caches a failed import', async () => {
    const program = `
      import { RobotsClient } from '@maycrawl/client';
      new RobotsClient({ agent: 'MyBot', userAgent: 'MyBot/1.0' });
    `;
    expect(await runProgram(program)).toEqual(
      expect.arrayContaining([
        ...['basic-ftp', 'tldts', 'undici'],
        ...['connector', 'fetch-ftp', 'http'].map(
          (name) => expect.stringContaining(`/${name}.js`) as unknown,
        ),
      ]),
    );
  });

  test('fetching loads the connections and requests of undici, and nothing else of it', async () => {
    const program = `
      import { createRequire } from 'node:module';
      import '@maycrawl/client/internal';
      const { cache } = createRequire(import.meta.url);
      for (const path of Object.keys(cache)) process.stderr.write('file://' + path + '\\n');
    `;
    const urls = await listUrls('--input-type=module', '--eval', program);
    const parts = urls.flatMap((url) => /(?<=\/undici\/)(?:lib\/)?[^/]+/.exec(url)?.[0] ?? []);
    expect([...new Set(parts)].sort()).toEqual([
      ...['lib/api', 'lib/core', 'lib/dispatcher', 'lib/handler', 'lib/llhttp', 'lib/util'],
    ]);
  });
});

/** @returns the modules in the loaded parts of the bundled command, as paths in the repository, and the packages outside it. */
async function runCommand(...args: readonly string[]): Promise<{ modules: string[]; packages: string[] }> {
  const urls = await listUrls(BIN, ...args);
  const modules = urls
    .filter((url) => url.includes('/dist/command/'))
    .flatMap((url) => {
      // esbuild writes the path of each module in a comment.
      const comments = readFileSync(fileURLToPath(url), 'utf8').matchAll(/^\/\/ (\S+\.m?js)$/gm);
      return Array.from(comments, ([, path = '']) => path);
    });
  expect(modules).toContain('packages/maycrawl/dist/cli/main.js');
  return { modules, packages: [...new Set(urls.flatMap((url) => PACKAGE.exec(url)?.[0] ?? []))].sort() };
}

/** @returns the modules that an audit runs, as paths in the repository, and the packages outside its bundle. */
async function runAudit(...args: readonly string[]): Promise<{ modules: string[]; packages: string[] }> {
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-coverage-'));
  try {
    const env = { ...ownCache(), NODE_V8_COVERAGE: folder };
    await promisify(execFile)(process.execPath, [BIN, 'audit', ...args], { cwd: ROOT, env });
    const files = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const scripts = files.flatMap((text) => (JSON.parse(text) as { result: ScriptCoverage[] }).result);
    // esbuild names the function that runs a module after its path.
    const functions = scripts
      .filter(({ url }) => url.endsWith('/dist/command/audit.cjs'))
      .flatMap((script) => script.functions);
    const modules = functions
      .filter(({ ranges: [whole] }) => whole !== undefined && whole.count > 0)
      .map(({ functionName }) => functionName)
      .filter((name) => /^(?:packages|node_modules)\//.test(name));
    return { modules, packages: scripts.flatMap(({ url }) => PACKAGE.exec(url)?.[0] ?? []) };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** The coverage of a script (Chrome DevTools Protocol, `Profiler.ScriptCoverage`). */
interface ScriptCoverage {
  readonly url: string;
  readonly functions: readonly {
    readonly functionName: string;
    readonly ranges: readonly { readonly count: number }[];
  }[];
}

const COMMAND_FOLDER = `${ROOT}/packages/maycrawl/dist/command/`;

/** @returns the packages that a part of the bundle imports, together with the parts that it imports. */
function listPackagesOfPart(part: string, parts: Set<string> = new Set()): string[] {
  parts.add(part);
  const imports = readFileSync(COMMAND_FOLDER + part, 'utf8').matchAll(
    /^(?:import|\} from) .*?"([^"]+)";$/gm,
  );
  const modules = Array.from(imports, ([, module = '']) => module).filter((module) => !isBuiltin(module));
  return modules.flatMap((module) => {
    if (!module.startsWith('./')) return module;
    return parts.has(module.slice(2)) ? [] : listPackagesOfPart(module.slice(2), parts);
  });
}

/** Modules by what only some calls need. */
const [HTTP, FTP, SUFFIXES, STORES, HTML, DATABASE, REPORTS] = [
  /\/undici\/|client\/dist\/http\/connector\.js/,
  /\/basic-ftp\/|robots\/ftp\.js/,
  /\/tldts\//,
  /client\/dist\/store\/(?:sqlite|postgres)\.js/,
  /\/entities\//,
  /client\/dist\/database\/(?:sqlite|postgres|drivers)\.js/,
  /audit\/report\//,
];

describe('imports of the command', () => {
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<title>A page</title>');
  });
  const folder = mkdtempSync(join(tmpdir(), 'maycrawl-imports-'));
  let origin = '';

  beforeAll(async () => {
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  });

  const find = (modules: readonly string[], patterns: readonly RegExp[]): string[] =>
    modules.filter((path) => patterns.some((pattern) => pattern.test(path)));

  test.each([['--version'], ['check', '--robots', 'README.md', '/']])(
    'maycrawl %s loads no HTTP client and no database, and no module outside its bundle',
    async (...args) => {
      const { modules, packages } = await runCommand(...args);
      expect(packages).toEqual([]);
      expect(find(modules, [HTTP, FTP, SUFFIXES, STORES, HTML, DATABASE, REPORTS])).toEqual([]);
    },
  );

  test('each thread of the command runs a part of the bundle, and loads no package but the one of its messages', () => {
    const workers = readdirSync(COMMAND_FOLDER).flatMap((part) =>
      Array.from(
        readFileSync(COMMAND_FOLDER + part, 'utf8').matchAll(/new URL\("\.\/([^"]+)", import\.meta\.url\)/g),
        ([, worker = '']) => worker,
      ),
    );
    expect(workers.sort()).toEqual([
      ...[
        'analysis-worker.js',
        'analysis.js',
        'audit-thread.js',
        'census-worker.js',
        'decide-worker.js',
        'file-worker.js',
        'line-worker.js',
        'log-worker.js',
        'preferences-worker.js',
        'tool-worker.js',
        'worker.js',
      ],
    ]);
    const packages = workers.flatMap((worker) => listPackagesOfPart(worker));
    expect([...new Set(packages)]).toEqual(['piscina']);
  });

  test('a check of a site loads the HTTP client, and no FTP client', async () => {
    const { modules, packages } = await runCommand('check', '--database', 'none', `${origin}/`);
    expect(packages).toEqual([]);
    expect(find(modules, [HTTP])).not.toEqual([]);
    expect(find(modules, [FTP, SUFFIXES, STORES, HTML, REPORTS])).toEqual([]);
  });

  test('an audit runs no FTP client, no list of public suffixes and no store, and loads no package but the driver', async () => {
    const { modules, packages } = await runAudit(`${origin}/`, '--out', join(folder, 'audit'));
    expect(modules).toContain('packages/maycrawl/dist/audit/crawl-run.js');
    expect(packages.filter((name) => !/sqlite|node-gyp-build/.test(name))).toEqual([]);
    expect(find(modules, [HTTP])).not.toEqual([]);
    expect(find(modules, [HTML])).not.toEqual([]);
    expect(find(modules, [FTP, SUFFIXES, STORES])).toEqual([]);
  });
});
