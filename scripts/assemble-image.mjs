// Writes the root file system of the image: Node with its libraries, the command with the packages that it needs, and nothing else.
//
//   node scripts/assemble-image.mjs DIRECTORY
//
// The packages must be built, and DIRECTORY must not exist. All files get the time of SOURCE_DATE_EPOCH (seconds; default 0), so that
// the same sources give the same image.
import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lutimesSync,
  mkdirSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

const PROJECT = fileURLToPath(new URL('..', import.meta.url));
/** The user of the image. It is a number, so that Kubernetes can see that it is not root. */
const USER = 10_001;
const PACKAGES = ['core', 'client', 'maycrawl'];
/** Files of packages that the command does not need. */
const UNUSED = /\.(?:map|[cm]?ts|tsbuildinfo)$/;

/** Runs a program, and returns its output. */
function run(program, args, cwd = PROJECT) {
  return execFileSync(program, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
}

/** Copies a file or folder of the project to the same place in another folder. */
function copyOfProject(path, target) {
  cpSync(join(PROJECT, path), join(target, path), { recursive: true });
}

/** Installs the command: its files, and its dependencies in the versions of the lockfile. */
function installCommand(app) {
  for (const file of ['package.json', 'package-lock.json', '.npmrc']) copyOfProject(file, app);
  // npm needs the manifest of each workspace that the lockfile names.
  for (const name of ['bench', ...readdirSync(join(PROJECT, 'packages')).map((each) => `packages/${each}`)])
    copyOfProject(`${name}/package.json`, app);
  run('npm', ['ci', '--omit=dev', '--omit=optional', '--ignore-scripts', '--workspace', 'maycrawl'], app);
  for (const name of PACKAGES) {
    copyOfProject(`packages/${name}/dist`, app);
    copyOfProject(`packages/${name}/LICENSE`, app);
  }
  copyOfProject('packages/maycrawl/bin', app);
  for (const path of ['package-lock.json', '.npmrc', 'bench', 'packages/web'])
    rmSync(join(app, path), { recursive: true });
}

/** Returns the paths in a folder, those of a folder before the folder. Links are not followed. */
function list(directory) {
  return readdirSync(directory, { withFileTypes: true }).flatMap((entry) => {
    const path = join(directory, entry.name);
    return entry.isDirectory() ? [...list(path), path] : [path];
  });
}

/** Copies Node without its symbols, and the libraries with which it is linked. */
function installNode(root) {
  const node = join(root, 'usr/local/bin/node');
  mkdirSync(dirname(node), { recursive: true });
  run('strip', ['-o', node, process.execPath]);
  const libraries = run('ldd', [process.execPath]).matchAll(/(?:=> |^\s*)(\/\S+) \(/gm);
  for (const [, path] of libraries) cpSync(path, join(root, path), { dereference: true });
}

/** Writes the user, and the folders that it may write to. */
function writeUser(root) {
  for (const directory of ['etc', 'data', 'tmp']) mkdirSync(join(root, directory), { recursive: true });
  writeFileSync(join(root, 'etc/passwd'), `maycrawl:x:${USER}:${USER}::/data:/sbin/nologin\n`);
  writeFileSync(join(root, 'etc/group'), `maycrawl:x:${USER}:\n`);
  writeFileSync(join(root, 'etc/nsswitch.conf'), 'hosts: files dns\n');
  chmodSync(join(root, 'tmp'), 0o1777);
  chmodSync(join(root, 'data'), 0o700);
  // Only root can give a folder away; others assemble it for a look.
  if (process.getuid?.() === 0) chownSync(join(root, 'data'), USER, USER);
}

const [directory] = process.argv.slice(2);
if (directory === undefined) {
  console.error(
    'scripts/assemble-image.mjs: the directory is missing: node scripts/assemble-image.mjs DIRECTORY',
  );
  process.exit(2);
}
process.umask(0o022);
const root = resolve(directory);
if (existsSync(root)) {
  console.error(`scripts/assemble-image.mjs: ${root} exists: name a new directory`);
  process.exit(2);
}
const app = join(root, 'app');
mkdirSync(root);
mkdirSync(app);
installCommand(app);
for (const path of list(app)) if (UNUSED.test(path)) rmSync(path);
installNode(root);
writeUser(root);
const time = new Date(Number(process.env.SOURCE_DATE_EPOCH ?? 0) * 1000);
for (const path of [...list(root), root]) lutimesSync(path, time, time);
