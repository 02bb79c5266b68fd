import { defaultClientConditions, defineConfig } from 'vite';

// Nothing may be inline: the page runs under a policy that forbids inline scripts and styles (index.html).
// biome-ignore lint/style/noDefaultExport: Vite looks for it.
export default defineConfig({
  base: './',
  resolve: { conditions: ['@maycrawl/source', ...defaultClientConditions] },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  worker: { format: 'es' },
  build: {
    outDir: '../maycrawl/dist/web',
    emptyOutDir: true,
    rolldownOptions: { input: ['index.html', 'watch.html', 'audits.html'] },
    target: 'es2023',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
});
