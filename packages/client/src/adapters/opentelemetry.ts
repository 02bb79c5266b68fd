/// <reference types="node" preserve="true" />
/**
 * `@maycrawl/client/opentelemetry`: spans and metrics of all clients of a process, from the messages of their channels
 * (docs/telemetry.md). It needs `@opentelemetry/api` (`npm install @opentelemetry/api@1`) and an SDK that exports them.
 *
 * @module
 */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { checkOptions, type OptionTypes } from '@maycrawl/core/internal';
import { type Attributes, type Meter, metrics, type Tracer, trace } from '@opentelemetry/api';
import { requireMethods } from '../http/caller-objects.ts';
import type { ChannelMessages } from '../origins/events/decision-event.ts';
import { recordFetchSpan, toFetchAttributes } from './fetch-span.ts';

/** Where spans and metrics go. */
export interface InstrumentOptions {
  /** @defaultValue the tracer `@maycrawl/client` of the global provider */
  readonly tracer?: Tracer | undefined;
  /** @defaultValue the meter `@maycrawl/client` of the global provider, which must be registered before the call */
  readonly meter?: Meter | undefined;
}

const INSTRUMENT_OPTIONS: OptionTypes<InstrumentOptions> = { tracer: 'object', meter: 'object' };

const SCOPE = '@maycrawl/client';

/** Upper bounds of durations in seconds: those of the HTTP semantic conventions, and up to the default timeout. */
const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.075, 0.1, 0.25, 0.5, 0.75, 1, 2.5, 5, 7.5, 10, 30];
/** The same of outages: a minute to thirty days, with the twelve hours of Google's policy. */
const OUTAGE_SECONDS = [60, 300, 900, 3_600, 4 * 3_600, 12 * 3_600, 86_400, 7 * 86_400, 30 * 86_400];

/** Handlers of the messages of each channel. */
type Handlers = { readonly [Name in keyof ChannelMessages]: (message: ChannelMessages[Name]) => void };

/**
 * Records the fetches of robots.txt files as spans, and fetches, decisions, reads of the cache and outages as metrics, for all clients of
 * this process. No attribute of a metric has a URL or a host, so their number is bounded.
 *
 * @returns a function that ends the recording.
 * @throws {TypeError} for an unknown option, and for a tracer or meter without its methods.
 * @example
 * const stop = instrument();
 * // ... at the end of the process
 * stop();
 */
export function instrument(options: InstrumentOptions = {}): () => void {
  checkOptions<InstrumentOptions>('instrument', options, INSTRUMENT_OPTIONS);
  const { tracer = trace.getTracer(SCOPE), meter = metrics.getMeter(SCOPE) } = options;
  requireMethods('a tracer', tracer, ['startSpan']);
  requireMethods('a meter', meter, ['createCounter', 'createHistogram']);
  const handlers = createHandlers(tracer, meter);
  const subscriptions = Object.entries(handlers).map(([name, handle]) => {
    const listen = (message: unknown): void => handle(message as never);
    subscribe(name, listen);
    return () => unsubscribe(name, listen);
  });
  return () => {
    for (const end of subscriptions.splice(0)) end();
  };
}

function createHandlers(tracer: Tracer, meter: Meter): Handlers {
  const fetches = meter.createHistogram('maycrawl.robots.fetch.duration', {
    description: 'Duration of fetches of robots.txt, redirects included.',
    unit: 's',
    advice: { explicitBucketBoundaries: SECONDS },
  });
  const decisions = meter.createCounter('maycrawl.robots.decisions', {
    description: 'Decisions about URLs.',
    unit: '{decision}',
  });
  const reads = meter.createCounter('maycrawl.robots.cache.reads', {
    description: 'Reads of the policies of origins.',
    unit: '{read}',
  });
  const cacheEvents = meter.createCounter('maycrawl.robots.cache.events', {
    description:
      'Failures of the store and of background fetches, evicted origins, and waits for other clients.',
    unit: '{event}',
  });
  const begun = meter.createCounter('maycrawl.robots.outages', {
    description: 'Outages of robots.txt files that have begun.',
    unit: '{outage}',
  });
  const ended = meter.createHistogram('maycrawl.robots.outage.duration', {
    description: 'Duration of outages of robots.txt files that have ended.',
    unit: 's',
    advice: { explicitBucketBoundaries: OUTAGE_SECONDS },
  });
  return {
    'maycrawl:robots:fetch': (message) => {
      const attributes = toFetchAttributes(message);
      recordFetchSpan(tracer, message, attributes);
      fetches.record(message.duration / 1000, attributes);
    },
    'maycrawl:robots:decision': ({ decision, reason }) =>
      decisions.add(1, { 'maycrawl.robots.decision': decision, 'maycrawl.robots.reason': reason }),
    'maycrawl:robots:cache': (message) => {
      if (message.kind === 'read') reads.add(1, { 'maycrawl.robots.cache.result': message.result });
      else {
        const attributes: Attributes = { 'maycrawl.robots.cache.event': message.kind };
        cacheEvents.add(message.kind === 'evicted' ? message.count : 1, attributes);
      }
    },
    'maycrawl:robots:outage': (message) => {
      const attributes: Attributes = { 'maycrawl.robots.code': message.code };
      if (message.kind === 'outage-began') begun.add(1, attributes);
      else ended.record(message.duration / 1000, attributes);
    },
  };
}
