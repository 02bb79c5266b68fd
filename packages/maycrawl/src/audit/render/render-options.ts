// How pages are rendered.

/** Options of the rendered pass. */
export interface RenderOptions {
  /** The path of Chromium. @defaultValue it is searched */
  readonly chromium?: string;
  /** Whether Chromium runs without its sandbox, as root and some containers need it. @defaultValue `false` */
  readonly withoutSandbox?: boolean;
  /** Maximum number of pages, which are a sample over the folders of the site; 0: no limit. @defaultValue 500 */
  readonly limit?: number;
  /** Milliseconds for the scripts and requests of one page. @defaultValue 15,000 */
  readonly timeout?: number;
}

/** Defaults of {@link RenderOptions}. */
export const RENDER_DEFAULTS = { limit: 500, timeout: 15_000 } as const;
