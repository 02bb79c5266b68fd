// An OpenTelemetry SDK that sends spans and metrics by OTLP over HTTP, with the standard variables:
//
//   NODE_OPTIONS='--import ./opentelemetry.mjs' OTEL_EXPORTER_OTLP_ENDPOINT=http://127.0.0.1:4318 npx maycrawl serve
//
// The exporters read OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_HEADERS and others. The commands send what is left when they end.
import { isMainThread } from 'node:worker_threads';
import { metrics, trace } from '@opentelemetry/api';
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { defaultResource, detectResources, envDetector } from '@opentelemetry/resources';
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics';
import { BasicTracerProvider, BatchSpanProcessor } from '@opentelemetry/sdk-trace-base';

const { OTEL_SDK_DISABLED, OTEL_METRIC_EXPORT_INTERVAL } = process.env;

// Worker threads run this module, too, and have nothing to send.
if (isMainThread && OTEL_SDK_DISABLED?.toLowerCase() !== 'true') {
  // OTEL_SERVICE_NAME and OTEL_RESOURCE_ATTRIBUTES.
  const resource = defaultResource().merge(detectResources({ detectors: [envDetector] }));
  const spanProcessors = [new BatchSpanProcessor(new OTLPTraceExporter())];
  trace.setGlobalTracerProvider(new BasicTracerProvider({ resource, spanProcessors }));
  const reader = new PeriodicExportingMetricReader({
    exporter: new OTLPMetricExporter(),
    exportIntervalMillis: Number(OTEL_METRIC_EXPORT_INTERVAL ?? 60_000),
  });
  metrics.setGlobalMeterProvider(new MeterProvider({ resource, readers: [reader] }));
}
