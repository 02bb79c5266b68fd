// Proves that each regular expression of the packages takes time linear in its input, the search for a start position included.
//
// The proof is recheck's automaton analysis (ambiguity of the NFA, Weideman et al. 2016). Its fuzzer is no proof and is not used: an
// expression that the analysis does not cover (lookaround, back references) counts as a failure. So does a pattern that is not
// written out where it is compiled.
//
// An expression that is not linear may stand only where its input has a bound, which a comment on the line before states:
//
//     // regexp-input: 200 (the name of a host)
//
// The tool accepts the bound if the number of steps that follows from it is small.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { parseSync, Visitor } from 'oxc-parser';

// In this process: the other back ends are a Java program, a native one and a thread.
process.env.RECHECK_BACKEND = 'pure';
process.env.RECHECK_SYNC_BACKEND = 'pure';
const { checkSync } = await import('recheck');

/** About a tenth of a second of backtracking. */
const MAX_STEPS = 10_000_000;
/** The degree that an expression is taken to have if the analysis does not cover it. */
const UNPROVED_DEGREE = 3;
const MARKER = /^\s*regexp-input: (\d{1,7}) \(.+\)\s*$/;
const LIMITS = {
  checker: 'automaton',
  timeout: 120_000,
  maxRepeatCount: 1_000,
  maxPatternSize: 20_000,
  maxNFASize: 200_000,
};

/**
 * The growth of the time of an expression.
 *
 * @returns its degree: 1 for linear time, `Infinity` for exponential time, `undefined` if it is not proved.
 */
function getDegree(source, flags) {
  // recheck does not know flag d, which has no influence on matching, and takes g for a search from the start of the input.
  const { status, complexity } = checkSync(source, flags.replace(/[dg]/g, ''), LIMITS);
  if (status === 'unknown') return undefined;
  if (complexity.type === 'exponential') return Number.POSITIVE_INFINITY;
  return complexity.type === 'polynomial' ? complexity.degree : 1;
}

/** The regular expressions of a module: `{ source, flags, line }`, without `source` if the pattern is not written out. */
function findExpressions(name, text) {
  const { program, comments, errors } = parseSync(name, text);
  if (errors.length > 0) throw new SyntaxError(`${name}: ${errors[0].message}`);
  const found = [];
  const add = (node, source, flags) => {
    const line = text.slice(0, node.start).split('\n').length;
    found.push({ source, flags, line, bound: getBound(text, comments, line) });
  };
  const constants = getConstants(program, name);
  const compile = (node) => {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [pattern, flags] = node.arguments;
    if (pattern?.type === 'Literal' && pattern.regex !== undefined && flags === undefined) return;
    add(node, getText(pattern, constants), flags === undefined ? '' : getText(flags, constants));
  };
  new Visitor({
    Literal(node) {
      if (node.regex) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: compile,
    CallExpression(node) {
      compile(node);
      // These compile a string.
      const { callee } = node;
      if (
        callee.type !== 'MemberExpression' ||
        !['match', 'matchAll', 'search'].includes(callee.property.name)
      )
        return;
      const source = getText(node.arguments[0], constants);
      if (source !== undefined) add(node, source, '');
    },
  }).visit(program);
  return found;
}

/** The texts of the constants of a module, and of those that it imports, by name. */
function getConstants(program, path) {
  const constants = new Map();
  for (const statement of program.body) {
    if (statement.type === 'ImportDeclaration' && /^\.{1,2}\/.+\.ts$/.test(statement.source.value)) {
      const imported = readModuleConstants(join(dirname(path), statement.source.value));
      for (const { local, imported: from } of statement.specifiers)
        if (imported.has(from?.name)) constants.set(local.name, imported.get(from.name));
      continue;
    }
    const declaration = statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement;
    if (declaration?.type !== 'VariableDeclaration' || declaration.kind !== 'const') continue;
    for (const { id, init } of declaration.declarations) {
      const value = getText(init, constants);
      if (value !== undefined) constants.set(id.name, value);
    }
  }
  return constants;
}

const modules = new Map();

/** The texts of the constants of a file. Modules that import each other in a circle see none of one another. */
function readModuleConstants(path) {
  if (!modules.has(path)) {
    modules.set(path, new Map());
    modules.set(path, getConstants(parseSync(path, readFileSync(path, 'utf8')).program, path));
  }
  return modules.get(path);
}

/** The text of a node that is a string, or composed of constants; `undefined` if it is another expression. */
function getText(node, constants) {
  if (node?.type === 'Literal' && typeof node.value === 'string') return node.value;
  if (node?.type === 'Identifier') return constants.get(node.name);
  const isRaw = node?.type === 'TaggedTemplateExpression' && node.tag.property?.name === 'raw';
  const template = isRaw ? node.quasi : node;
  if (template?.type !== 'TemplateLiteral') return undefined;
  const parts = template.expressions.map((expression) => getText(expression, constants));
  if (parts.includes(undefined)) return undefined;
  const texts = template.quasis.map(({ value }) => (isRaw ? value.raw : value.cooked));
  return texts.map((text, index) => text + (parts[index] ?? '')).join('');
}

/** The bound that a comment on the line before states. */
function getBound(text, comments, line) {
  for (const { value, end } of comments) {
    const match = MARKER.exec(value);
    if (match !== null && text.slice(0, end).split('\n').length === line - 1) return Number(match[1]);
  }
  return undefined;
}

/** What is wrong with an expression; `undefined` if nothing is. */
function getProblem({ source, flags, bound }) {
  const degree = source === undefined || flags === undefined ? undefined : getDegree(source, flags);
  if (degree === 1)
    return bound === undefined ? undefined : 'is linear: remove the comment that bounds its input';
  const what =
    source === undefined
      ? 'is not written out'
      : degree === undefined
        ? 'is not proved to be linear'
        : degree === Number.POSITIVE_INFINITY
          ? 'takes exponential time'
          : `takes time of degree ${degree}`;
  if (degree === Number.POSITIVE_INFINITY) return what;
  if (bound === undefined) return `${what}, and no comment bounds its input`;
  const steps = bound ** (degree ?? UNPROVED_DEGREE);
  return steps <= MAX_STEPS ? undefined : `${what}: up to ${steps} steps for ${bound} characters`;
}

/** @param folders - of sources. */
function checkAll(folders) {
  let count = 0;
  let failures = 0;
  for (const folder of folders) {
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile() || !/\.[cm]?[jt]sx?$/.test(entry.name)) continue;
      const path = join(entry.parentPath, entry.name);
      for (const expression of findExpressions(path, readFileSync(path, 'utf8'))) {
        count++;
        const problem = getProblem(expression);
        if (problem === undefined) continue;
        failures++;
        const { source = 'a pattern', flags = '', line } = expression;
        console.error(`${relative('', path)}:${line}: /${source}/${flags} ${problem}`);
      }
    }
  }
  console.log(`${count} regular expressions, ${failures} of which are not accepted`);
  process.exitCode = failures === 0 && count > 0 ? 0 : 1;
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const packages = fileURLToPath(new URL('../packages', import.meta.url));
  const given = process.argv.slice(2);
  checkAll(given.length > 0 ? given : readdirSync(packages).map((name) => join(packages, name, 'src')));
}
