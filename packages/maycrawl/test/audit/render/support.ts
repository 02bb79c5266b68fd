// Where Chromium is, and how tests start it.
import { findChromium } from '../../../src/audit/render/find-chromium.ts';
import { RenderError } from '../../../src/audit/render/render-error.ts';
import type { RenderOptions } from '../../../src/audit/render/render-options.ts';

/** Whether Chromium is missing, so that tests that need it are skipped. */
export const isChromiumMissing: boolean = search() === undefined;
/** The reason for skipped tests, for their titles. */
export const NEEDS: string = isChromiumMissing
  ? ' (skipped: there is no Chromium, see apt-get install chromium)'
  : '';
/** How pages are rendered: root has no sandbox. A slow machine has time for all scripts. */
export const RENDER: Omit<RenderOptions, 'limit'> = {
  withoutSandbox: process.geteuid?.() === 0,
  timeout: 60_000,
};

function search(): string | undefined {
  try {
    return findChromium();
  } catch (error) {
    if (error instanceof RenderError) return undefined;
    throw error;
  }
}
