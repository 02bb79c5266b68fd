import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { copyFileSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { serve } from '../../../client/test/support/server.ts';
import { ROOT } from '../support/run.ts';

let directory: string;
/** What the workflow of a release publishes. */
let release: string;

const { version: VERSION } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as {
  version: string;
};

const npm = (args: readonly string[], cwd: string): string =>
  execFileSync('npm', [...args], { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });

const node = (args: readonly string[]): string =>
  execFileSync(process.execPath, [...args], { cwd: directory, encoding: 'utf8' });

beforeAll(() => {
  directory = mkdtempSync(join(tmpdir(), 'maycrawl-install-'));
  release = mkdtempSync(join(tmpdir(), 'maycrawl-release-'));
  npm(['run', 'release:files', '--', release], ROOT);
  const tarballs = ['core-', 'client-', ''].map((name) => join(release, `maycrawl-${name}${VERSION}.tgz`));
  writeFileSync(join(directory, 'package.json'), '{ "private": true, "type": "module" }');
  // The native part of the store is already compiled in this checkout; compilation takes a minute.
  const packages = [...tarballs, 'htmlparser2@12.0.0'];
  npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...packages], directory);
});

// About 2,000 files: on a busy machine this takes longer than the default limit of ten seconds.
afterAll(() => {
  for (const folder of [directory, release]) rmSync(folder, { recursive: true, force: true });
});

describe('the packed packages, installed in an empty folder', () => {
  test('the command runs', () => {
    writeFileSync(join(directory, 'robots.txt'), 'User-agent: *\nDisallow: /x\n');
    const args = ['check', '--json', '--robots', 'robots.txt', '/y'];
    const bin = join('node_modules', '.bin', 'maycrawl');
    const answer = execFileSync(bin, args, { cwd: directory, encoding: 'utf8' });
    expect(JSON.parse(answer)).toMatchObject({ allowed: true, line: 0 });
  });

  test('the SBOM of the release names the packages that npm installs, the licences are complete, and checksums are right', () => {
    const sbom = JSON.parse(readFileSync(join(release, `maycrawl-${VERSION}.cdx.json`), 'utf8'));
    expect(sbom).toMatchObject({
      bomFormat: 'CycloneDX',
      metadata: { component: { purl: `pkg:npm/maycrawl@${VERSION}` } },
    });
    const refs: string[] = sbom.components.map((component: { 'bom-ref': string }) => component['bom-ref']);
    const toName = (ref: string): string => ref.slice(0, ref.lastIndexOf('@'));
    const installed = npm(['ls', '--all', '--parseable'], directory).trim().split('\n').slice(1);
    const names = installed.map((path) => path.replace(/^.*node_modules\//, ''));
    expect(names.length).toBeGreaterThan(60);
    // Packages that the folder has beside the command, and native parts for another system.
    const others = /^(?:maycrawl|htmlparser2|dom(?:elementtype|handler|utils)|dom-serializer)$/;
    const missing = new Set(names.filter((name) => !refs.map(toName).includes(name) && !others.test(name)));
    expect([...missing]).toEqual([]);
    // Preact is in the pages that the command contains, and no development dependency is listed.
    expect(refs.map(toName)).toContain('preact');
    expect(refs.map(toName)).not.toContain('vitest');

    const licenses = readFileSync(join(release, `maycrawl-${VERSION}.licenses.txt`), 'utf8');
    for (const ref of refs)
      expect(licenses).toContain(`${toName(ref)} ${ref.slice(toName(ref).length + 1)}\nLicence: `);
    expect(licenses).not.toContain('Licence: not stated');

    const sums = readFileSync(join(release, 'SHA256SUMS'), 'utf8').trim().split('\n');
    expect(sums).toHaveLength(readdirSync(release).length - 1);
    for (const line of sums) {
      const [sum, name = ''] = line.split('  ');
      expect(
        createHash('sha256')
          .update(readFileSync(join(release, name)))
          .digest('hex'),
      ).toBe(sum);
    }
  });

  test('each library runs', () => {
    for (const name of ['@maycrawl/core', '@maycrawl/client', 'maycrawl']) {
      const source = `import { decide } from '${name}'; console.log(decide('user-agent: *\\ndisallow: /', 'a', '/x').kind);`;
      expect(node(['--input-type=module', '--eval', source])).toBe('disallowed\n');
    }
  });

  test('the crawler of docs/crawler.md runs as a copy in the folder', async () => {
    copyFileSync(join(ROOT, 'examples/crawler.mjs'), join(directory, 'crawler.mjs'));
    const site = await serve(({ url }, response) =>
      response.setHeader('content-type', 'text/html').end(url === '/' ? '<a href="/a">a</a>' : ''),
    );
    const args = ['crawler.mjs', '--allow-private', '--spacing', '1', 'crawl', `${site.origin}/`];
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd: directory });
    await site.close();
    expect({ stdout, stderr }).toEqual({ stdout: `200 ${site.origin}/\n200 ${site.origin}/a\n`, stderr: '' });
    expect(readdirSync(join(directory, 'crawl', 'pages'))).toHaveLength(2);
  });

  test('the module for receivers of webhooks works', () => {
    const source =
      "import { verifySignature } from 'maycrawl/webhook'; console.log(verifySignature('', '', 'x'));";
    expect(node(['--input-type=module', '--eval', source])).toBe('false\n');
  });

  test('the entry points of maycrawl work, and their types are complete', () => {
    const program = `
      import { judgeLines } from 'maycrawl/batch';
      import { audit, type UrlReport } from 'maycrawl/audit';
      import { createService } from 'maycrawl/serve';
      import { createMonitor, type Monitor } from 'maycrawl/watch';

      const urls = { robots: 'User-agent: *\\nDisallow: /x', format: 'text' } as const;
      for await (const { bytes } of judgeLines([Buffer.from('/x\\n')], { urls })) process.stdout.write(bytes);
      const results: AsyncGenerator<UrlReport> = audit('http://127.0.0.1:9/', { timeout: 1_000 });
      await results.return(undefined);
      const service = await createService({ userAgent: 'MyBot/1.0' });
      const address = await service.listen({ host: '127.0.0.1', port: 0 });
      const { status } = await fetch(address + '/openapi.json');
      process.stdout.write(status + ' ');
      await service.close();
      const open: (options: { database: string }) => Promise<Monitor> = createMonitor;
      process.stdout.write(typeof open);
    `;
    writeFileSync(join(directory, 'entries.ts'), program);
    const checked = [
      ...['--module', 'nodenext', '--target', 'es2023', '--strict', '--outDir', 'out', '--types', 'node'],
      ...['--typeRoots', join(ROOT, 'node_modules', '@types'), 'entries.ts'],
    ];
    const tsc = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
    execFileSync(process.execPath, [tsc, ...checked], { cwd: directory, encoding: 'utf8' });
    expect(node([join('out', 'entries.js')])).toBe('disallowed\t2\tGooglebot\t/x\n200 function');
  });

  test('the client installs at most seven packages and no database driver, and says which one a database needs', () => {
    const own = mkdtempSync(join(tmpdir(), 'maycrawl-client-'));
    try {
      writeFileSync(join(own, 'package.json'), '{ "private": true, "type": "module" }');
      const tarballs = [`maycrawl-core-${VERSION}.tgz`, `maycrawl-client-${VERSION}.tgz`];
      const paths = tarballs.map((name) => join(release, name));
      npm(['install', '--ignore-scripts', '--no-audit', '--no-fund', ...paths], own);
      const installed = npm(['ls', '--all', '--parseable'], own).trim().split('\n').slice(1);
      expect(installed.length).toBeGreaterThan(2);
      expect(installed.length).toBeLessThanOrEqual(7);
      const source = `
        import { openPostgresStore, openSqliteStore, RobotsClient } from '@maycrawl/client';
        const describe = (store) => store.then((each) => each.close()).then(() => 'open', ({ message }) => message);
        const results = [typeof RobotsClient, await describe(openPostgresStore('postgres://127.0.0.1:9/x'))];
        console.log(JSON.stringify([...results, await describe(openSqliteStore('x.sqlite'))]));
      `;
      const answer = execFileSync(process.execPath, ['--input-type=module', '--eval', source], { cwd: own });
      const hasSqlite = process.getBuiltinModule?.('node:sqlite') !== undefined;
      expect(JSON.parse(answer.toString())).toEqual([
        'function',
        'PostgreSQL needs the package pg, which is not installed: npm install pg@8',
        hasSqlite
          ? 'open'
          : 'SQLite needs Node 22.13 or later, or the package @photostructure/sqlite, which is not installed: npm install @photostructure/sqlite@1',
      ]);
      const manifest = join(own, 'node_modules', '@maycrawl', 'client', 'package.json');
      const { peerDependencies } = JSON.parse(readFileSync(manifest, 'utf8'));
      // The commands of the messages install a version in these ranges.
      expect(peerDependencies).toMatchObject({
        '@photostructure/sqlite': expect.stringMatching(/^>=1\S+ <2$/),
        pg: expect.stringMatching(/^>=8\S+ <9$/),
      });
    } finally {
      rmSync(own, { recursive: true, force: true });
    }
  });

  test('core has no dependencies, and contains only its own files', () => {
    const manifest = JSON.parse(
      node(['-p', 'JSON.stringify(require("@maycrawl/core/package.json"))']),
    ) as object;
    expect(manifest).not.toHaveProperty('dependencies');
    const installed = readdirSync(join(directory, 'node_modules', '@maycrawl', 'core'));
    expect(installed.sort()).toEqual(['LICENSE', 'README.md', 'dist', 'package.json', 'src']);
  });
});
