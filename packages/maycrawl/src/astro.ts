/**
 * `maycrawl/astro`: an integration for Astro that checks the robots.txt of each build. It needs no package of Astro itself.
 *
 * @module
 */
import { fileURLToPath } from 'node:url';
import { checkOutput, type RobotsTxtOptions, requireOptions } from './deployment/check-output.ts';

export type { RobotsTxtOptions } from './deployment/check-output.ts';
export type { Environment } from './deployment/environment.ts';

/** A plugin for Vite that reads the mode of the build. */
export interface ModePlugin {
  readonly name: string;
  /** Remembers the mode. */
  configResolved(config: { readonly mode: string }): void;
}

/** What the integration uses of the argument of `astro:config:setup`. */
export interface AstroSetup {
  /** Adds to the configuration. */
  updateConfig(config: { vite: { plugins: ModePlugin[] } }): unknown;
}

/** What the integration uses of the argument of `astro:config:done`. */
export interface AstroConfigured {
  readonly config: { readonly root: URL; readonly publicDir: URL };
}

/** What the integration uses of the argument of `astro:build:done`. */
export interface AstroBuilt {
  /** The folder of the pages. */
  readonly dir: URL;
  /** Prints a warning. */
  readonly logger: WarningLogger;
}

/** Where warnings are printed. */
export interface WarningLogger {
  /** Prints a warning. */
  warn(message: string): void;
}

/** An integration, as Astro 5 and later accept it. */
export interface RobotsTxtIntegration {
  readonly name: string;
  readonly hooks: {
    /** Reads the mode of the build from Vite. */
    'astro:config:setup'(setup: AstroSetup): void;
    /** Remembers the folders of the project. */
    'astro:config:done'(configured: AstroConfigured): void;
    /** Checks the output, and fails the build if it is wrong. */
    'astro:build:done'(built: AstroBuilt): Promise<void>;
  };
}

/**
 * Creates the integration. It checks the robots.txt of the built site, whether it is from the public folder or from an endpoint that is
 * prerendered, as the plugin of `maycrawl/vite` does, and fails the build with one message.
 *
 * @example
 * ```js
 * // astro.config.mjs
 * import { robotsTxt } from 'maycrawl/astro';
 *
 * export default { integrations: [robotsTxt({ environment: 'production' })] };
 * ```
 *
 * @throws {TypeError} for an unknown option, or one of a wrong type.
 * @throws {RangeError} for an environment or a severity that does not exist.
 */
export function robotsTxt(options: RobotsTxtOptions = {}): RobotsTxtIntegration {
  requireOptions(options);
  let folders: { readonly root: string; readonly publicDir: string } | undefined;
  let mode: string | undefined;
  return {
    name: 'maycrawl',
    hooks: {
      'astro:config:setup': ({ updateConfig }) => {
        const configResolved = (config: { readonly mode: string }): void => {
          mode = config.mode;
        };
        updateConfig({ vite: { plugins: [{ name: 'maycrawl:mode', configResolved }] } });
      },
      'astro:config:done': ({ config }) => {
        folders = { root: fileURLToPath(config.root), publicDir: fileURLToPath(config.publicDir) };
      },
      'astro:build:done': async ({ dir, logger }) => {
        if (folders === undefined || mode === undefined)
          throw new Error('internal error: astro:build:done runs before the configuration is known');
        const outDir = fileURLToPath(dir);
        const { problems, warnings } = await checkOutput(options, { ...folders, outDir }, mode);
        for (const warning of warnings) logger.warn(warning);
        // Astro prints the stack of an error. The problem is not in this code.
        if (problems.length > 0) throw Object.assign(new Error(problems.join('\n')), { stack: '' });
      },
    },
  };
}
