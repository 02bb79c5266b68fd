// Writes the files of a release to a folder: the tarballs, an SBOM (CycloneDX) and the licences of the dependencies of each package,
// and the checksums of all of these. `npm run release:files -- FOLDER`; the packages are built before.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PUBLISHED } from './plan.mjs';

/** The command contains pages, so the dependencies of packages/web are in its tarball. */
const CONTENTS = new Map([['packages/maycrawl', ['packages/maycrawl', 'packages/web']]]);

const npm = (...args) => execFileSync('npm', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
const readManifest = (directory) => JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));

/** All packages of the checkout. With `--omit dev`, npm omits a dependency of one workspace that another one uses in development. */
const everything = JSON.parse(npm('sbom', '--sbom-format', 'cyclonedx'));
const componentsByRef = new Map(everything.components.map((component) => [component['bom-ref'], component]));
const dependenciesByRef = new Map(everything.dependencies.map(({ ref, dependsOn }) => [ref, dependsOn]));
const manifestsByRef = new Map(
  [...PUBLISHED, 'packages/web']
    .map(readManifest)
    .map((manifest) => [`${manifest.name}@${manifest.version}`, manifest]),
);

/** What a package needs when it runs. The graph of npm has the development dependencies of the packages of this checkout, too. */
function getRuntimeDependencies(ref) {
  const manifest = manifestsByRef.get(ref);
  const dependsOn = dependenciesByRef.get(ref) ?? [];
  if (manifest === undefined) return dependsOn;
  const names = Object.keys({ ...manifest.dependencies, ...manifest.optionalDependencies });
  return names.map((name) => {
    const found = dependsOn.find((each) => each.slice(0, each.lastIndexOf('@')) === name);
    if (found === undefined) throw new Error(`${ref} needs ${name}, which is not installed`);
    return found;
  });
}

/** The SBOM of a package: the components that can be reached from it. */
function createSbom(directory) {
  const roots = (CONTENTS.get(directory) ?? [directory]).map(readManifest);
  const reached = new Set();
  const waiting = roots.map(({ name, version }) => `${name}@${version}`);
  const [subject] = waiting;
  for (let ref = waiting.pop(); ref !== undefined; ref = waiting.pop()) {
    if (reached.has(ref) || !componentsByRef.has(ref)) continue;
    reached.add(ref);
    waiting.push(...getRuntimeDependencies(ref));
  }
  const refs = [...reached].sort();
  const dependencies = refs.map((ref) => ({
    ref,
    dependsOn: getRuntimeDependencies(ref).filter((each) => reached.has(each)),
  }));
  const metadata = { ...everything.metadata, component: componentsByRef.get(subject) };
  const components = refs.filter((ref) => ref !== subject).map((ref) => componentsByRef.get(ref));
  return { ...roots[0], sbom: { ...everything, metadata, components, dependencies } };
}

const { packages: locked } = JSON.parse(readFileSync('package-lock.json', 'utf8'));

/** The folder of a package of some version. */
const findFolder = (name, version) =>
  Object.keys(locked).find(
    (path) =>
      path.endsWith(`node_modules/${name}`) &&
      (locked[path].version ?? version) === version &&
      existsSync(path),
  );

/** The text of the licence files of a package. */
function readLicenseFiles(folder) {
  const names = readdirSync(folder).filter((name) => /^(?:licen[cs]e|copying|notice)(?:[.-]|$)/i.test(name));
  return names.sort().map((name) => readFileSync(join(folder, name), 'utf8').trim());
}

const toLicense = ({ licenses = [] }) =>
  licenses.map(({ license, expression }) => expression ?? license.id ?? license.name).join(' AND ');

/** Name, version, licence and licence text of each dependency in an SBOM. */
function formatLicenses({ components }) {
  const entries = components.map((component) => {
    const ref = component['bom-ref'];
    const [name, version] = [ref.slice(0, ref.lastIndexOf('@')), component.version];
    const folder = findFolder(name, version);
    if (folder === undefined) throw new Error(`${ref} is not installed`);
    const texts = readLicenseFiles(folder);
    const text = texts.length > 0 ? texts.join('\n\n') : 'The package has no licence file.';
    return {
      name,
      text: `${name} ${version}\nLicence: ${toLicense(component) || 'not stated'}\n\n${text}\n`,
    };
  });
  return entries
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map(({ text }) => text)
    .join(`\n${'-'.repeat(80)}\n\n`);
}

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || rest.length > 0 || (existsSync(folder) && readdirSync(folder).length > 0)) {
  console.error('usage: npm run release:files -- FOLDER, which is new or empty');
  process.exit(2);
}
const out = resolve(folder);
mkdirSync(out, { recursive: true });
for (const directory of PUBLISHED) {
  npm('pack', '--ignore-scripts', '--pack-destination', out, '--workspace', directory);
  const { name, version, sbom } = createSbom(directory);
  const prefix = `${name.replace('@', '').replace('/', '-')}-${version}`;
  writeFileSync(join(out, `${prefix}.cdx.json`), `${JSON.stringify(sbom, null, 2)}\n`);
  if (sbom.components.length > 0) writeFileSync(join(out, `${prefix}.licenses.txt`), formatLicenses(sbom));
}
const names = readdirSync(out).sort();
const sums = names.map(
  (name) =>
    `${createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex')}  ${name}\n`,
);
writeFileSync(join(out, 'SHA256SUMS'), sums.join(''));
for (const name of [...names, 'SHA256SUMS']) console.log(name);
