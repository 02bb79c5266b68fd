// Bundles the command from the built packages into packages/maycrawl/dist/command: Node takes longer to find and link the some three
// hundred modules of an audit than to run a short one. `maycrawl audit` is a file of its own. The library entries stay as they are
// (docs/decisions/0019-bundled-command.md).
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const ROOT = fileURLToPath(new URL('../', import.meta.url));
const DIST = join(ROOT, 'packages', 'maycrawl', 'dist');
const FOLDER = join(DIST, 'command');

/** Packages that stay outside: drivers with native code, and those that only the service, agents, the monitor or a terminal needs. */
const EXTERNAL = [
  ...['@duckdb/node-api', '@modelcontextprotocol/server', '@opentelemetry/api'],
  ...['@fastify/*', '@photostructure/sqlite', 'cli-progress', 'fastify', 'light-my-request', 'nodemailer'],
  ...['pg', 'pino', 'piscina', 'playwright-core', 'prom-client', 'string-width'],
  ...['vscode-languageserver', 'yaml'],
];

/** Modules that run in threads. The bundle has them in one folder, under their file names. */
const WORKERS = [
  ...[
    'batch/line-worker.js',
    'census/census-worker.js',
    'logs/input/log-worker.js',
    'mcp/tool-worker.js',
    'lsp/analysis-worker.js',
    'serve/decide/decide-worker.js',
    'serve/routes/file-worker.js',
  ],
  ...['serve/routes/preferences-worker.js'],
  ...['serve/watch/worker.js', 'watch/analysis/analysis.js', 'watch/audits/audit-thread.js'],
];

/** The URL of a worker, and of any other file. */
const URLS = /new URL\('\.\/([^']+\.js)', import\.meta\.url\)|import\.meta\.url/g;

/** Lets a module find its worker in the bundle, and other files where they are. */
const keepModuleUrls = {
  name: 'keep-module-urls',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/]packages[\\/][^\\/]+[\\/]dist[\\/].*\.js$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url')) return undefined;
      if (!path.startsWith(DIST))
        throw new Error(`${path}: a package does not find its files from the bundle`);
      const module = JSON.stringify(relative(FOLDER, path).replaceAll(sep, '/'));
      const contents = text.replaceAll(URLS, (_, worker) => {
        if (worker === undefined) return `new URL(${module}, import.meta.url)`;
        if (!WORKERS.includes(relative(DIST, join(dirname(path), worker)).replaceAll(sep, '/')))
          throw new Error(`${path}: ${worker} is not an entry point of the bundle`);
        return `new URL('./${basename(worker)}', import.meta.url)`;
      });
      return { contents };
    });
  },
};

/**
 * Returns the CommonJS modules that are imported dynamically. Such an import of the bundle has no named exports, unlike the same import
 * in Node.
 */
function listDynamicCommonJs(inputs) {
  const imported = Object.values(inputs).flatMap(({ imports }) =>
    imports.flatMap(({ path, kind, external }) => (kind === 'dynamic-import' && !external ? [path] : [])),
  );
  return [...new Set(imported)].filter((path) => inputs[path]?.format !== 'esm');
}

/** Returns the folders of the packages that inputs come from, except those of this repository. */
function listPackages(inputs) {
  const folders = inputs.flatMap((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(folders)].sort();
}

/** Returns name, version and licence of a package. @throws {Error} if it has no text of a licence. */
function readLicence(folder) {
  const { name, version, license } = JSON.parse(readFileSync(join(ROOT, folder, 'package.json'), 'utf8'));
  const file = readdirSync(join(ROOT, folder)).find((each) => /^licen[cs]e/i.test(each));
  if (file === undefined) throw new Error(`${name} has no file with its licence`);
  return `${name} ${version} (${license})\n\n${readFileSync(join(ROOT, folder, file), 'utf8').trim()}\n`;
}

if (!existsSync(join(DIST, 'cli', 'main.js'))) throw new Error('the packages were not built: run tsc -b');
rmSync(FOLDER, { recursive: true, force: true });

/** Options of both bundles. */
const OPTIONS = {
  absWorkingDir: ROOT,
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  // ES modules where a package has both.
  mainFields: ['module', 'main'],
  plugins: [keepModuleUrls],
  metafile: true,
  logLevel: 'warning',
};

const command = await build({
  ...OPTIONS,
  entryPoints: ['cli/main.js', ...WORKERS].map((module) => ({
    in: join(DIST, module),
    out: basename(module, '.js'),
  })),
  outdir: FOLDER,
  splitting: true,
  format: 'esm',
  external: EXTERNAL,
  // CommonJS modules in the bundle require modules of Node.
  banner: {
    js: "import { createRequire as createBundleRequire } from 'node:module';\nconst require = createBundleRequire(import.meta.url);",
  },
});

// Node loads one CommonJS file in less time than seventy ES modules (docs/decisions/0031-bundle-of-audits.md).
const audit = await build({
  ...OPTIONS,
  format: 'cjs',
  define: { 'import.meta.url': 'bundleUrl' },
  banner: { js: "const bundleUrl = require('node:url').pathToFileURL(__filename).href;" },
  entryPoints: [join(DIST, 'cli', 'audit-main.js')],
  outfile: join(FOLDER, 'audit.cjs'),
  // Less to read and to store in memory. Functions keep their names.
  minifyWhitespace: true,
  lineLimit: 200,
  legalComments: 'none',
  // Node warns if an ES module is required.
  external: EXTERNAL.filter((name) => name !== 'string-width'),
});

const inputs = { ...command.metafile.inputs, ...audit.metafile.inputs };
const dynamic = listDynamicCommonJs(inputs);
if (dynamic.length > 0) throw new Error(`import these CommonJS modules statically: ${dynamic.join(', ')}`);
const licences = listPackages(Object.keys(inputs)).map(readLicence);
writeFileSync(join(FOLDER, 'LICENSES.txt'), licences.join(`\n${'-'.repeat(80)}\n\n`));
