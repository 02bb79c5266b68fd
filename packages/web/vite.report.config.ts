import { defaultClientConditions, defineConfig } from 'vite';

// One script and one style for each report, which the command puts into an HTML file (packages/maycrawl/src/reports/html-file.ts).
// biome-ignore lint/style/noDefaultExport: Vite looks for it.
export default defineConfig(({ mode }) => {
  // `--mode census`: the report of a census. `--mode logs`: the report of logs. Else: the report of an audit.
  const name = ['census', 'logs'].includes(mode) ? mode : 'report';
  return {
    resolve: { conditions: ['@maycrawl/source', ...defaultClientConditions] },
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    publicDir: false,
    build: {
      outDir: `../maycrawl/dist/${name}-page`,
      emptyOutDir: true,
      rolldownOptions: {
        input: `src/${name}/main.tsx`,
        output: { format: 'iife', entryFileNames: 'report.js', assetFileNames: 'report.[ext]' },
      },
      cssCodeSplit: false,
      target: 'es2023',
      modulePreload: { polyfill: false },
      reportCompressedSize: false,
    },
  };
});
