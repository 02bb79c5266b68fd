// The pages as `npm run build` has built them, for the tests and for the scripts that take pictures.
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const PACKAGES = fileURLToPath(new URL('../../../..', import.meta.url));

/**
 * Returns the folder of a page.
 *
 * @param name - `web`: the pages of the service; the others: those of reports.
 * @throws {Error} if a source is newer than the page.
 */
export function findBuiltPage(name: 'web' | 'report-page' | 'census-page' | 'logs-page'): string {
  const folder = join(PACKAGES, 'maycrawl', 'dist', name);
  const [file = ''] = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    /\.(?:js|html)$/.test(path),
  );
  const builtAt = statSync(join(folder, file)).mtimeMs;
  for (const source of ['core', 'client', 'maycrawl', 'web'].map((each) => join(PACKAGES, each, 'src')))
    for (const path of readdirSync(source, { recursive: true, encoding: 'utf8' }))
      if (/\.(?:tsx?|css)$/.test(path) && statSync(join(source, path)).mtimeMs > builtAt)
        throw new Error(`${join(source, path)} is newer than the page: npm run build`);
  return folder;
}
