// The API reference: every entry of the published packages, from its docstrings. An export without a docstring is an error.
import { readFileSync } from 'node:fs';

const PACKAGES = ['core', 'client', 'maycrawl'];

const entryPoints = PACKAGES.flatMap((name) => {
  const folder = new URL(`../packages/${name}/`, import.meta.url);
  const { exports } = JSON.parse(readFileSync(new URL('package.json', folder), 'utf8'));
  return Object.values(exports).flatMap((entry) =>
    entry['@maycrawl/source'] === undefined ? [] : [`../packages/${name}/${entry['@maycrawl/source']}`],
  );
});

/** @type {import('typedoc').TypeDocOptions & import('typedoc-plugin-markdown').PluginOptions} */
const config = {
  plugin: ['typedoc-plugin-markdown'],
  tsconfig: 'tsconfig.json',
  entryPoints,
  // Another version of TypeScript than the one that checks the types.
  skipErrorChecking: true,
  out: 'api',
  readme: 'none',
  excludePrivate: true,
  excludeInternal: true,
  disableSources: true,
  hideBreadcrumbs: true,
  entryFileName: 'index',
  validation: { notExported: false, invalidLink: true, rewrittenLink: true, notDocumented: true },
  requiredToBeDocumented: ['Module', 'Variable', 'Function', 'Class', 'Method', 'Interface', 'TypeAlias'],
  treatValidationWarningsAsErrors: true,
  // The type of the service inherits docstrings of Fastify with links.
  externalSymbolLinkMappings: { fastify: { 'FastifyInstance.close': '#' } },
  packagesRequiringDocumentation: ['@maycrawl/core', '@maycrawl/client', 'maycrawl'],
};

export default config;
