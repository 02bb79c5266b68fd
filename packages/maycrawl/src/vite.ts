/**
 * `maycrawl/vite`: a plugin for Vite that checks the robots.txt of each build. It needs no package of Vite itself.
 *
 * @module
 */
import { resolve } from 'node:path';
import { checkOutput, type RobotsTxtOptions, requireOptions } from './deployment/check-output.ts';

export type { RobotsTxtOptions } from './deployment/check-output.ts';
export type { Environment } from './deployment/environment.ts';

/** What the plugin reads of the configuration of Vite. */
export interface ViteConfig {
  readonly root: string;
  /** An empty text without a public folder. */
  readonly publicDir: string;
  readonly mode: string;
  readonly build: { readonly outDir: string; readonly ssr?: boolean | string };
  readonly plugins?: readonly { readonly name: string }[];
}

/** What the plugin uses of the context of a hook. */
export interface ViteHookContext {
  /** Fails the build. */
  error(message: string): never;
  /** Prints a warning. */
  warn(message: string): void;
  /** From Vite 6 on. */
  readonly environment?: { readonly name: string };
}

/** A plugin, as Vite 5 and later accept it. */
export interface RobotsTxtPlugin {
  readonly name: string;
  readonly apply: 'build';
  readonly enforce: 'post';
  /** Remembers the configuration. @throws an error in a project of Astro. */
  configResolved(config: ViteConfig): void;
  /** Checks the output, and fails the build if it is wrong. */
  writeBundle(this: ViteHookContext, output: { readonly dir?: string | undefined }): Promise<void>;
}

/**
 * Creates the plugin. It lints the robots.txt that the build wrote, checks it against the expectations of its owner and for its environment,
 * and fails the build with one message. Builds of servers have no robots.txt and are not checked.
 *
 * @example
 * ```js
 * // vite.config.js
 * import { robotsTxt } from 'maycrawl/vite';
 *
 * export default { plugins: [robotsTxt({ environment: 'production' })] };
 * ```
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {RangeError} for an environment or a severity that does not exist.
 */
export function robotsTxt(options: RobotsTxtOptions = {}): RobotsTxtPlugin {
  requireOptions(options);
  let config: ViteConfig | undefined;
  return {
    name: 'maycrawl:robots-txt',
    apply: 'build',
    enforce: 'post',
    configResolved(resolved) {
      // Astro copies the public folder and renders pages outside of the build of the client, which some projects do not have.
      if (resolved.plugins?.some(({ name }) => name.startsWith('astro:')))
        throw new Error(
          'robotsTxt() of maycrawl/vite does not check builds of Astro: write "integrations: [robotsTxt()]" with the one of maycrawl/astro',
        );
      config = resolved;
    },
    async writeBundle({ dir }) {
      if (config === undefined) throw new Error('internal error: writeBundle runs before configResolved');
      if (config.build.ssr || (this.environment !== undefined && this.environment.name !== 'client')) return;
      const { root, publicDir, mode, build } = config;
      const folders = { root, publicDir, outDir: resolve(root, dir ?? build.outDir) };
      const { problems, warnings } = await checkOutput(options, folders, mode);
      for (const warning of warnings) this.warn(warning);
      if (problems.length > 0) this.error(problems.join('\n'));
    },
  };
}
