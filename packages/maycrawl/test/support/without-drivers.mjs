// Loaded before the command (--import): the optional packages are not installed, neither for import() nor for require().
import Module, { register } from 'node:module';

const MISSING = ['@photostructure/sqlite', 'pg', 'playwright-core', 'vscode-languageserver'];

const hooks = `export function resolve(name, context, next) {
  if (!${JSON.stringify(MISSING)}.includes(name)) return next(name, context);
  const error = new Error(\`Cannot find package '\${name}' imported from \${context.parentURL}\`);
  throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  if (!MISSING.includes(name)) return resolveFilename(name, ...more);
  const error = new Error(`Cannot find module '${name}'\nRequire stack:\n- a file`);
  throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
};
