import { context, propagation, trace } from '@opentelemetry/api';
import { beginTracing } from './spans.ts';

/** Tracing settings: the collector's endpoint, the service name and the sampling ratio. */
export type TracingSettings = {
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  /** Sampling ratio from 0 to 1. For requests with trace headers, the caller's decision applies. */
  readonly sampleRatio: number;
};

/**
 * Starts sending spans to a collector (OTLP over HTTP). Without an endpoint, nothing is loaded. Returns a function that sends the remaining spans and
 * stops the exporter. An unavailable collector never delays other work.
 */
export async function openTracing({
  endpoint,
  serviceName,
  sampleRatio,
}: TracingSettings): Promise<() => Promise<void>> {
  if (endpoint === undefined) return () => Promise.resolve();
  const [sdk, { OTLPTraceExporter }, { resourceFromAttributes }, hooks, { W3CTraceContextPropagator }] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-http'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
    ]);
  const provider = new sdk.TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: new sdk.ParentBasedSampler({ root: new sdk.TraceIdRatioBasedSampler(sampleRatio) }),
    spanProcessors: [
      new sdk.BatchSpanProcessor({ exporter: new OTLPTraceExporter({ url: `${endpoint}/v1/traces` }) }),
    ],
  });
  trace.setGlobalTracerProvider(provider);
  context.setGlobalContextManager(new hooks.AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  beginTracing();
  return () => provider.shutdown().catch(() => undefined);
}
