// Takes pictures of pages for the scripts beside it, with the set-up of the tests.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createServer } from 'vite';

const root = fileURLToPath(new URL('..', import.meta.url));

/** Options of contexts. */
export const phone = { viewport: { width: 390, height: 844 }, hasTouch: true };
export const dark = { colorScheme: 'dark' };

/**
 * Starts Chromium, and a loader of the modules of the tests.
 *
 * The pictures are written to the folder that is the argument of the script. Without one, only those that the documentation shows are
 * taken, and replaced in docs/screenshots.
 *
 * @param documented - names of the pictures that the documentation shows.
 */
export async function preparePictures(documented) {
  const [, , folder] = process.argv;
  const target = folder ?? fileURLToPath(new URL('../../../docs/screenshots', import.meta.url));
  await mkdir(target, { recursive: true });
  // Node.js 20 does not read TypeScript: Vite does.
  const conditions = ['@maycrawl/source'];
  const vite = await createServer({
    ...{ root, configFile: false, logLevel: 'error', appType: 'custom' },
    server: { middlewareMode: true, ws: false, watch: null },
    ...{ resolve: { conditions }, ssr: { resolve: { conditions } } },
  });
  /** Loads a module. @param path - from the folder of the packages. */
  const loadSource = (path) => vite.ssrLoadModule(fileURLToPath(new URL(`../../${path}`, import.meta.url)));
  const { launch } = await loadSource('web/test/page/support/browser.ts');
  const browser = await launch();

  /**
   * Takes pictures of a page.
   *
   * @param shown - selectors of the elements to wait for.
   * @param pictures - of each: its name, the options of its context, and optionally a function that acts on the page, which can return an
   * element to take instead of the page, and a URL relative to that of the page.
   */
  const takePictures = async (url, shown, pictures) => {
    for (const [name, options, act, path = ''] of pictures) {
      if (folder === undefined && !documented.includes(name)) continue;
      const context = await browser.newContext({
        ...options,
        locale: 'en-GB',
        timezoneId: 'UTC',
        reducedMotion: 'reduce',
      });
      const page = await context.newPage();
      await page.goto(new URL(path, url).href);
      for (const selector of shown) await page.locator(selector).waitFor();
      const taken = (await act?.(page)) ?? page;
      await taken.screenshot({ path: join(target, `${name}.png`), animations: 'disabled', caret: 'hide' });
      await context.close();
    }
  };
  const close = async () => {
    await browser.close();
    await vite.close();
  };
  return { loadSource, takePictures, close };
}
