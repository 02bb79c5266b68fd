/**
 * Errors of rendering that concern the whole audit, not one page.
 *
 * @module
 */

/** Pages cannot be rendered on this machine. */
export class RenderError extends Error {
  override readonly name = 'RenderError';
  readonly code: 'playwright-missing' | 'chromium-missing' | 'sandbox-unavailable' | 'chromium-unusable';

  constructor(code: RenderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Why one page could not be rendered. */
export class PageRenderError extends Error {
  override readonly name = 'PageRenderError';
  readonly code: 'timeout' | 'crashed' | 'memory' | 'too-large' | 'requests' | 'changed';

  constructor(code: PageRenderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
