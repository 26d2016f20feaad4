import { context, propagation, trace } from '@opentelemetry/api';
import { beginTracing } from './spans.ts';

/** What tracing needs to know: where spans go, under whose name, and which share of traces. */
export type TracingSettings = {
  readonly endpoint: string | undefined;
  readonly serviceName: string;
  /** From 0 to 1. A trace that came with a request is kept as its caller decided. */
  readonly sampleRatio: number;
};

/**
 * Sends spans to a collector (OTLP over HTTP) in the background, from the first one on. Where no endpoint is set, nothing is loaded. The answered
 * function sends what is left and ends it; a collector that cannot be reached delays and fails nothing.
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
