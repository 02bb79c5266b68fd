// Loaded before the command (--import): the optional packages are not installed, neither for import() nor for require().
import Module, { register } from 'node:module';

const MISSING = [
  '@opentelemetry/api',
  '@photostructure/sqlite',
  'pg',
  'playwright-core',
  'vscode-languageserver',
];

const hooks = `export function resolve(name, context, next) {
  if (!${JSON.stringify(MISSING)}.includes(name) || context.parentURL?.includes('/node_modules/prom-client/')) return next(name, context);
  const error = new Error(\`Cannot find package '\${name}' imported from \${context.parentURL}\`);
  throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);

const resolveFilename = Module._resolveFilename;
Module._resolveFilename = (name, ...more) => {
  // prom-client depends on @opentelemetry/api.
  if (!MISSING.includes(name) || more[0]?.filename?.includes('/node_modules/prom-client/'))
    return resolveFilename(name, ...more);
  const error = new Error(`Cannot find module '${name}'\nRequire stack:\n- a file`);
  throw Object.assign(error, { code: 'MODULE_NOT_FOUND' });
};
