// Loads the bundle of audits with the code that V8 compiled from it when the package was built, if this is the same version of Node
// (docs/decisions/0051-code-cache-of-audits.md).
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Script } from 'node:vm';
import { setV8Flags } from './v8-flags.ts';

/** The bundle: a CommonJS module that exports `main` of `audit-main.ts`. */
const BUNDLE: string = fileURLToPath(new URL('../command/audit.cjs', import.meta.url));

/** The compiled code of the bundle. Other versions of Node, and other processors, do not look for this file. */
export const CODE_CACHE: string = join(dirname(BUNDLE), `audit-${process.version}-${process.arch}.cache`);

/** The bundle, compiled. */
export interface AuditBundle {
  readonly script: Script;
  /** As in `audit-main.ts`. */
  readonly main: (args: readonly string[]) => Promise<number>;
}

/** Loads the bundle. V8 ignores a cache of another version or of other flags. */
export function loadAudit(): AuditBundle {
  // A cache is valid for its flags.
  setV8Flags();
  const wrapper = '(function (exports, require, module, __filename, __dirname) {';
  const script = new Script(`${wrapper}${readFileSync(BUNDLE, 'utf8')}\n})`, {
    filename: BUNDLE,
    cachedData: readCodeCache(),
    columnOffset: -wrapper.length,
  });
  const module = { exports: {} as Pick<AuditBundle, 'main'> };
  const run = script.runInThisContext();
  run.call(module.exports, module.exports, createRequire(BUNDLE), module, BUNDLE, dirname(BUNDLE));
  return { script, main: module.exports.main };
}

function readCodeCache(): Buffer | undefined {
  try {
    return readFileSync(CODE_CACHE);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
