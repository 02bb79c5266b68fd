// Packs the published packages, and checks their entry points, files and types (publint, are the types wrong).
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

// The packages are ES modules only, so resolution by CommonJS rules is not supported.
const SUPPORTED = new Set(['node16-esm', 'bundler']);

async function findProblems(directory, scratch) {
  const packed = execFileSync('npm', ['pack', '--json', '--pack-destination', scratch], {
    cwd: directory,
    encoding: 'utf8',
  });
  const [{ filename }] = JSON.parse(packed);
  const tarball = readFileSync(join(scratch, filename));
  const arrayBuffer = tarball.buffer.slice(tarball.byteOffset, tarball.byteOffset + tarball.byteLength);
  const manifest = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
  // npm installs them for everyone who does not omit those of the whole project. `maycrawl` is the command, which has everything.
  const isLibrary = manifest.name.startsWith('@');
  const optional = isLibrary ? Object.keys(manifest.optionalDependencies ?? {}) : [];
  const { messages } = await publint({ pack: { tarball: arrayBuffer }, strict: true });
  const types = await checkPackage(createPackageFromTarballData(tarball));
  const typeProblems = types.types === false ? [{ kind: 'no types' }] : types.problems;
  return [
    ...optional.map((name) => `${name} is an optional dependency: make it an optional peer`),
    ...messages.map((message) => formatMessage(message, manifest)),
    ...typeProblems
      .filter(({ resolutionKind }) => resolutionKind === undefined || SUPPORTED.has(resolutionKind))
      .map((problem) => `types: ${JSON.stringify(problem)}`),
  ];
}

const scratch = mkdtempSync(join(tmpdir(), 'maycrawl-pack-'));
try {
  for (const directory of ['packages/core', 'packages/client', 'packages/maycrawl']) {
    const problems = await findProblems(directory, scratch);
    for (const problem of problems) console.error(`${directory}: ${problem}`);
    console.log(`${directory}: ${problems.length === 0 ? 'clean' : `${problems.length} problems`}`);
    if (problems.length > 0) process.exitCode = 1;
  }
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
