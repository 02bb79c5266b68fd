// The virtual time of a page: it jumps from timer to timer, and stands while requests are under way.
//
// Frames come in real time, so all virtual time may pass before the first one. What becomes visible, and what waits for a frame, is seen by
// scripts only then. Therefore time stands until two frames were drawn, and then runs once more.
import type { CDPSession } from 'playwright-core';
import { openIsolatedWorld } from './read-document.ts';

/** Milliseconds in which scripts run, before and after the frames. */
const BUDGET = 5_000;
/** Timers that may end at the same virtual time, before it goes on. */
const MAX_STARVATION = 100_000;

/** Resolves after a frame was drawn, and what observes it was run. */
const FRAMES =
  'new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(() => resolve())))';

/** Stops the time of a page, before it is opened. */
export async function stopTime(session: CDPSession): Promise<void> {
  await session.send('Emulation.setVirtualTimePolicy', { policy: 'pause' });
}

/** Lets the time of an opened page run to its end. */
export async function runTime(session: CDPSession): Promise<void> {
  await runBudget(session);
  await waitForFrames(session);
  await runBudget(session);
}

async function runBudget(session: CDPSession): Promise<void> {
  const expired = new Promise<void>((resolve) => {
    session.once('Emulation.virtualTimeBudgetExpired', () => resolve());
  });
  await session.send('Emulation.setVirtualTimePolicy', {
    policy: 'pauseIfNetworkFetchesPending',
    budget: BUDGET,
    maxVirtualTimeTaskStarvationCount: MAX_STARVATION,
  });
  await expired;
}

async function waitForFrames(session: CDPSession): Promise<void> {
  const contextId = await openIsolatedWorld(session);
  // If the document is replaced meanwhile, the result is an exception, and the new one has the rest of the time.
  await session.send('Runtime.evaluate', { contextId, expression: FRAMES, awaitPromise: true });
}
