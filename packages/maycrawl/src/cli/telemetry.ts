// OpenTelemetry: a command reports what its clients do to the SDK of the process, if one is registered (docs/telemetry.md). The SDK reads the
// standard variables; this module starts none.
import { printMessage } from './output/terminal.ts';

/** Where every copy of @opentelemetry/api 1 has what is registered. */
const REGISTERED = Symbol.for('opentelemetry.js.api.1');
/** Variables that request telemetry. */
const ENDPOINTS = [
  'OTEL_EXPORTER_OTLP_ENDPOINT',
  'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT',
  'OTEL_EXPORTER_OTLP_METRICS_ENDPOINT',
] as const;
/** The time in which the rest is sent when a command ends, in milliseconds. */
const FLUSH_TIME = 5_000;

/** Runs a command, and reports the fetches of its clients. A failure of the telemetry is a message, and not one of the command. */
export async function withTelemetry(run: () => Promise<number>): Promise<number> {
  const end = await start();
  if (end === undefined) return run();
  try {
    return await run();
  } finally {
    await end();
  }
}

/** Starts the recording. @returns how it ends; `undefined`: there is nothing to report to. */
async function start(): Promise<(() => Promise<void>) | undefined> {
  const { trace: tracers, metrics: meters } =
    (globalThis as { [REGISTERED]?: Readonly<Record<string, unknown>> })[REGISTERED] ?? {};
  if (tracers === undefined && meters === undefined) {
    const endpoint = ENDPOINTS.find((name) => (process.env[name] ?? '') !== '');
    if (endpoint !== undefined && process.env['OTEL_SDK_DISABLED']?.toLowerCase() !== 'true')
      printMessage(`${endpoint} is set, but no OpenTelemetry SDK is registered, so nothing is sent`);
    return undefined;
  }
  const modules = await load();
  if (modules === undefined) return undefined;
  const [{ metrics, trace }, { instrument }] = modules;
  const stop = instrument();
  return async () => {
    stop();
    const provider = trace.getTracerProvider() as Provider;
    const providers = [provider.getDelegate?.() ?? provider, metrics.getMeterProvider() as Provider];
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((_resolve, reject) => {
      timer = setTimeout(() => reject(new Error('the receiver did not respond in time')), FLUSH_TIME);
    });
    try {
      const flushes = providers.map(async (each) => each.forceFlush?.());
      await Promise.race([Promise.all(flushes), late]);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      printMessage(`not all telemetry was sent: ${reason}`);
    } finally {
      clearTimeout(timer);
    }
  };
}

/** What providers of SDKs have. */
interface Provider {
  readonly getDelegate?: () => Provider;
  readonly forceFlush?: () => Promise<void>;
}

async function load(): Promise<
  [typeof import('@opentelemetry/api'), typeof import('@maycrawl/client/opentelemetry')] | undefined
> {
  try {
    return [await import('@opentelemetry/api'), await import('@maycrawl/client/opentelemetry')];
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    printMessage('telemetry needs the package @opentelemetry/api: npm install @opentelemetry/api@1');
    return undefined;
  }
}
