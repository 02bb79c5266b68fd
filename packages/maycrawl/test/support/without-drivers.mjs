// Loaded before the command (--import): the optional packages are not installed.
import { register } from 'node:module';

const hooks = `export function resolve(name, context, next) {
  if (!['@photostructure/sqlite', 'pg', 'playwright-core'].includes(name)) return next(name, context);
  const error = new Error(\`Cannot find package '\${name}' imported from \${context.parentURL}\`);
  throw Object.assign(error, { code: 'ERR_MODULE_NOT_FOUND' });
}`;
register(`data:text/javascript,${encodeURIComponent(hooks)}`);
