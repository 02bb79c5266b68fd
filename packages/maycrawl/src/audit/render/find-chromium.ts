// Finds Chromium on this machine. Nothing is downloaded.
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { RenderError } from './render-error.ts';

/** Names of Chromium in the folders of PATH. */
const NAMES = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];

/** Places outside of PATH. */
const PLACES: Readonly<Partial<Record<NodeJS.Platform, readonly string[]>>> = {
  darwin: [
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  ],
  win32: [
    join(process.env['PROGRAMFILES'] ?? 'C:\\Program Files', 'Google\\Chrome\\Application\\chrome.exe'),
  ],
};

/**
 * Finds the program.
 *
 * @param given - its path, from the user.
 * @throws {RenderError} if no Chromium is found.
 */
export function findChromium(given?: string): string {
  if (given !== undefined) {
    if (isProgram(given)) return given;
    throw new RenderError('chromium-missing', `--chromium ${given} is no program that can be started`);
  }
  const folders = (process.env['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  const places = NAMES.flatMap((name) => folders.map((folder) => join(folder, name)));
  const found = [...places, ...(PLACES[process.platform] ?? [])].find(isProgram);
  if (found !== undefined) return found;
  throw new RenderError(
    'chromium-missing',
    '--render needs Chromium or Chrome, which was not found: install it, or give its path with --chromium PATH',
  );
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}
