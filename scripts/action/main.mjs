// The GitHub Action (action.yml): annotations on standard output, outputs, and a summary of the job. All inputs are environment variables.
// Exit codes: 1 if the linter finds errors, an expectation fails or a named crawler is newly blocked; 2 if that could not be found out.
import { spawnSync } from 'node:child_process';
import { appendFileSync, existsSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findBase, hasFile } from './base.mjs';

const DEFAULT_TESTS = 'robots.test.yaml';
/** GitHub's limit of a summary is 1 MiB. */
const MAX_SUMMARY_CHARS = 200_000;

const { env } = process;
const workspace = realpathSync(env.GITHUB_WORKSPACE || '.');
const file = getInput('FILE', 'robots.txt');
const tests = getInput('TESTS', DEFAULT_TESTS);
const crawlers = getInput('FAIL_ON_BLOCKED', '')
  .split(/[,\n]/)
  .map((name) => name.trim())
  .filter((name) => name !== '');

let exitCode = 0;
const summary = [];

function getInput(name, otherwise) {
  return env[`INPUT_${name}`]?.trim() || otherwise;
}

/** Keeps the worst exit code. */
function fail(code) {
  exitCode = Math.max(exitCode, code);
}

/**
 * Returns the path of a file of the repository. A pull request could otherwise have a link to a file of the machine, such as the git
 * configuration with its token, and read its lines in the findings.
 */
function requireFile(name) {
  const path = resolve(workspace, name);
  if (!existsSync(path)) stop(`cannot read ${name}: no such file`);
  if (!isInRepository(path)) stop(`${name} is not a file of the repository`);
  return path;
}

function isInRepository(path) {
  const parts = relative(workspace, realpathSync(path)).split(sep);
  return parts[0] !== '..' && !parts.includes('.git');
}

function stop(message) {
  annotate('error', {}, message);
  writeSummary([`**${message}**`]);
  process.exit(2);
}

/** Runs the command of this checkout. */
function runCommand(args, cwd = workspace) {
  const launcher = fileURLToPath(new URL('../maycrawl.mjs', import.meta.url));
  const { status, stdout, stderr } = spawnSync(process.execPath, [launcher, ...args], {
    cwd,
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
  });
  if (status !== 0 && status !== 1) process.stderr.write(stderr);
  return { status: status ?? 2, stdout, stderr };
}

/** Writes a workflow command. */
function annotate(level, properties, message) {
  const escapeData = (text) =>
    String(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');
  const list = Object.entries(properties).map(
    ([name, value]) => `${name}=${escapeData(value).replaceAll(':', '%3A').replaceAll(',', '%2C')}`,
  );
  console.log(`::${level} ${list.join(',')}::${escapeData(message)}`);
}

function setOutput(name, value) {
  if (env.GITHUB_OUTPUT)
    appendFileSync(env.GITHUB_OUTPUT, `${name}=${String(value).replace(/[\r\n]+/g, ' ')}\n`);
}

/** Adds a section with the output of the command. No line of it can end the block. */
function addSection(title, text) {
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  const shown = text.length > MAX_SUMMARY_CHARS ? `${text.slice(0, MAX_SUMMARY_CHARS)}\n(and more)` : text;
  summary.push(`### ${title}`, '', fence, shown.trimEnd(), fence, '');
}

function writeSummary(lines) {
  if (env.GITHUB_STEP_SUMMARY) appendFileSync(env.GITHUB_STEP_SUMMARY, `${lines.join('\n')}\n`);
}

function lint(path) {
  const annotations = runCommand(['lint', path, '--format', 'github']);
  if (annotations.status === 2) stop(`cannot check ${file}: ${annotations.stderr.trim()}`);
  process.stdout.write(annotations.stdout);
  const { findings } = JSON.parse(runCommand(['lint', path, '--format', 'json']).stdout);
  const count = (severity) => findings.filter((each) => each.severity === severity).length;
  setOutput('errors', count('error'));
  setOutput('warnings', count('warning'));
  if (count('error') > 0) fail(1);
  addSection('Findings', runCommand(['lint', path]).stdout);
  const sarif = getInput('SARIF', '');
  if (sarif === '') return;
  const { GITHUB_SERVER_URL: server, GITHUB_ACTION_REPOSITORY: repository, GITHUB_ACTION_REF: ref } = env;
  const pages =
    server && repository && ref ? ['--rules-url', `${server}/${repository}/blob/${ref}/docs/rules`] : [];
  const output = resolve(workspace, sarif);
  if (!isInRepository(dirname(output))) stop(`${sarif} is not in a folder of the repository`);
  // The repository could have a link of this name to another file.
  rmSync(output, { force: true });
  writeFileSync(output, runCommand(['lint', path, '--format', 'sarif', ...pages]).stdout);
  setOutput('sarif', sarif);
}

function compare(path) {
  const folder = dirname(path);
  const name = basename(path);
  const base = findBase(folder, getInput('BASE', ''), env.GITHUB_EVENT_PATH || undefined);
  if (base.problem !== undefined) {
    addSection('Changes of verdicts', `Unknown: ${base.problem}`);
    setOutput('changed', 'unknown');
    if (crawlers.length > 0) stop(`cannot find out whether crawlers are newly blocked: ${base.problem}`);
    return;
  }
  // Without a file, all URLs were allowed.
  const hadFile = hasFile(folder, base.commit, name);
  const before = hadFile ? `git:${base.commit}:./${name}` : createEmptyFile();
  const text = runCommand(['diff', before, `./${name}`], folder);
  const heading = hadFile ? '' : `There was no ${file} in ${base.commit}.\n\n`;
  addSection('Changes of verdicts', heading + (text.status === 2 ? text.stdout + text.stderr : text.stdout));
  setOutput('changed', ['false', 'true'][text.status] ?? 'unknown');
  const blocked = crawlers.filter((crawler) => isBlocked(crawler, before, name, folder));
  setOutput('newly-blocked', blocked.join(','));
}

function createEmptyFile() {
  const path = join(mkdtempSync(join(env.RUNNER_TEMP || tmpdir(), 'maycrawl-')), 'robots.txt');
  writeFileSync(path, '');
  return path;
}

/** Returns whether URLs are newly blocked for a crawler, and annotates the rules. `*` is any other crawler. */
function isBlocked(crawler, before, name, folder) {
  const agent = crawler === '*' ? [] : ['--agent', crawler];
  const { status, stdout, stderr } = runCommand(['diff', before, `./${name}`, ...agent, '--json'], folder);
  const report = stdout === '' ? undefined : JSON.parse(stdout);
  const isUndecided = crawler === '*' ? report?.undecided?.includes('*') : status === 2;
  if (report === undefined || isUndecided)
    stop(
      `cannot find out whether ${crawler} is newly blocked: ${stderr.trim() || 'the proof exceeds its budget'}`,
    );
  const changes = report.changes.filter(
    (each) => each.direction === 'blocked' && (crawler !== '*' || each.agent === '*'),
  );
  for (const { example, after } of changes) {
    const place = after === null ? { file } : { file, line: after.line };
    const who = crawler === '*' ? 'Crawlers without a group of their own' : crawler;
    annotate('error', { ...place, title: 'newly blocked' }, `${who}: newly blocked, for example ${example}`);
  }
  if (changes.length > 0) fail(1);
  return changes.length > 0;
}

function verify(path) {
  // Only the default file may be missing: a misspelled name would pass as met expectations.
  if (tests === DEFAULT_TESTS && !existsSync(resolve(workspace, tests))) return;
  const expectations = requireFile(tests);
  const args = ['verify', path, '--tests', relative(workspace, expectations)];
  const annotations = runCommand([...args, '--format', 'github']);
  process.stdout.write(annotations.stdout);
  if (annotations.status !== 0) fail(annotations.status);
  const { stdout, stderr } = runCommand(args);
  addSection('Expectations', stdout + stderr);
}

const path = requireFile(file);
const shown = `.${sep}${relative(workspace, path)}`;
summary.push(`## ${file}`, '');
lint(shown);
compare(path);
verify(shown);
writeSummary(summary);
process.exitCode = exitCode;
