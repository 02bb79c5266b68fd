// Checks the import rule: a folder imports only from folders further right in its row, or from itself. The same table stands in
// docs/architecture.md (`npm run imports -- --write`).
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { parseSync } from 'oxc-parser';

/** Folders, and files that are modules of their own, by the folder that contains them. Entries of a package import from all of them. */
const ROWS = {
  'packages/core/src':
    'lint | preferences crawler-list | indexability | proofs | model | matching | syntax | crawlers | crawler | xml | bytes',
  'packages/client/src':
    'adapters | origins | pace | store | database | robots | sitemap | signatures | http | streams.ts event-loop coded-error.ts',
  'packages/maycrawl/src':
    'cli matchers | mcp lsp | serve | watch | conformance logs | identity | audit.ts | batch census audit deployment | reports | api | preferences expectations | documents html lines secrets threads | text files',
  'packages/maycrawl/src/audit':
    'crawl-run.ts evaluate-run.ts | plan.ts | page report render | crawl | findings | segments | judge links | run | path-patterns.ts',
  'packages/maycrawl/src/logs':
    'report judge-log.ts read-log.ts | log-judge.ts | audit-comparison.ts | summary input | identity rules formats | crawlers.ts | request.ts',
  'packages/maycrawl/src/watch':
    'monitor.ts | monitor-options.ts | worker.ts | audits logs check.ts | event-report.ts | notifications | scheduled | storage | message.ts | plain.ts confirmation.ts | analysis | site.ts activity.ts',
  'packages/maycrawl/src/serve':
    'service.ts | service-options.ts | watch audits open-api | routes | page | decide | server | limits | http',
  'packages/web/src': 'audits census logs watch | report | tester | outages | shared',
};
const DOCUMENT = 'docs/architecture.md';
const MARKS = ['<!-- import rule -->', '<!-- end of the import rule -->'];

const problems = Object.entries(ROWS).flatMap(([folder, row]) => checkFolder(folder, row));
const document = readFileSync(DOCUMENT, 'utf8');
const [before, , after] = document.split(new RegExp(MARKS.join('|')));
const table = `${MARKS[0]}\n\n\`\`\`text\n${formatRows()}\`\`\`\n\n${MARKS[1]}`;
const expected = `${before}${table}${after}`;
if (process.argv.includes('--write')) writeFileSync(DOCUMENT, expected);
else if (document !== expected) problems.push(`${DOCUMENT} has another table: npm run imports -- --write`);
for (const problem of problems) console.error(problem);
process.exitCode = problems.length === 0 ? 0 : 1;

function checkFolder(folder, row) {
  const ranks = new Map(
    row.split(' | ').flatMap((cell, rank) => cell.split(' ').map((name) => [name, rank])),
  );
  const isEntry = (file) => folder.endsWith('/src') && !file.includes('/') && !ranks.has(file);
  const files = readdirSync(folder, { recursive: true }).filter((file) => /\.tsx?$/.test(file));
  return files
    .filter((file) => !isEntry(file))
    .flatMap((file) => {
      const module = getModule(file);
      if (!ranks.has(module)) return [`${folder}/${file}: the import rule lacks ${module}`];
      return listImports(join(folder, file)).flatMap((name) => {
        const path = relative(folder, join(folder, dirname(file), name));
        const imported = getModule(path);
        if (!name.startsWith('.') && folder.startsWith('packages/core/'))
          return [`${folder}/${file}: core has no dependencies, such as ${name}`];
        if (!name.startsWith('.') || path.startsWith('..') || imported === module) return [];
        if (ranks.get(module) < ranks.get(imported)) return [];
        return [`${folder}/${file} imports ${path}: ${module} must not import ${imported}`];
      });
    });
}

/** The modules that a file imports, also as types or when they are needed, or exports again. */
function listImports(path) {
  const source = readFileSync(path, 'utf8');
  const { staticImports, staticExports, dynamicImports } = parseSync(path, source).module;
  const requests = [...staticImports, ...staticExports.flatMap(({ entries }) => entries), ...dynamicImports];
  // The name of a module stands between quotation marks.
  return requests
    .map(({ moduleRequest }) => moduleRequest)
    .filter((request) => request !== null)
    .map(({ start, end }) => source.slice(start + 1, end - 1));
}

/** The first folder of a path, or a file. */
function getModule(path) {
  return path.split('/')[0];
}

function formatRows() {
  const width = Math.max(...Object.keys(ROWS).map((folder) => folder.length));
  return Object.entries(ROWS)
    .map(([folder, row]) => `${folder.padEnd(width)}  ${row}\n`)
    .join('');
}
