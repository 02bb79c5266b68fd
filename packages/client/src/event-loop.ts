/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/event-loop`: asynchronous work that shares one event loop. It loads nothing else.
 *
 * @module
 */
export { sleepUnlessAborted, unlessAborted } from './event-loop/abort.ts';
export { InFlight } from './event-loop/in-flight.ts';
export { type TimeSliceOptions, TimeSlices, timeSlices } from './event-loop/time-slice.ts';
