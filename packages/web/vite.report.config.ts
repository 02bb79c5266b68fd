import { defaultClientConditions, defineConfig } from 'vite';

// One script and one style: `maycrawl audit` puts both into the HTML file of a report (packages/maycrawl/src/audit/report/html/html-report.ts).
// biome-ignore lint/style/noDefaultExport: Vite looks for it.
export default defineConfig({
  resolve: { conditions: ['@maycrawl/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  publicDir: false,
  build: {
    outDir: '../maycrawl/dist/report-page',
    emptyOutDir: true,
    rolldownOptions: {
      input: 'src/report/main.tsx',
      output: { format: 'iife', entryFileNames: 'report.js', assetFileNames: 'report.[ext]' },
    },
    cssCodeSplit: false,
    target: 'es2023',
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
