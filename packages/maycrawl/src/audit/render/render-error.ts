// Errors of rendering: those that concern the whole audit, and those of one page.

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
  readonly code: 'timeout' | 'crashed' | 'memory' | 'too-large' | 'requests' | 'changed' | 'left';

  constructor(code: PageRenderError['code'], message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}

/** Waits for work. @throws {PageRenderError} after some milliseconds. */
export async function withLimit<T>(work: Promise<T>, milliseconds: number, message: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new PageRenderError('timeout', message)), milliseconds);
  });
  work.catch(() => {});
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
