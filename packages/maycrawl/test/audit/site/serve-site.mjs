// Serves the site for manual inspection: node packages/maycrawl/test/audit/site/serve-site.mjs [PORT]
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('server.ts', import.meta.url))],
  ...{ bundle: true, platform: 'node', format: 'esm', write: false },
});
const { startSite } = await import(`data:text/javascript,${encodeURIComponent(outputFiles[0].text)}`);
const { origin } = await startSite(Number(process.argv[2] ?? 0));
process.stdout.write(`${origin}/\n`);
