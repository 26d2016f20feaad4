import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';

// Spans of traces, over the API of OpenTelemetry. Without a collector nothing of it runs.

const tracer = trace.getTracer('quittance');
let isTracing = false;

/** Lets spans be made from now on: an exporter takes them. */
export function beginTracing(): void {
  isTracing = true;
}

/** What a span says from its beginning. */
export type SpanStart = {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** What it is part of; by default the span around the call. */
  readonly parent?: Context;
};

function fail(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/**
 * Does work inside a span, which ends with it and tells its failure. `start` is asked only where spans are made; `ended` adds to the span what the result
 * says.
 */
export function inSpan<T>(
  start: () => SpanStart,
  work: () => Promise<T>,
  ended?: (span: Span, result: T) => void,
): Promise<T> {
  if (!isTracing) return work();
  const { name, parent = context.active(), ...options } = start();
  return tracer.startActiveSpan(name, options, parent, async (span) => {
    try {
      const result = await work();
      ended?.(span, result);
      return result;
    } catch (error) {
      fail(span, error);
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Names the span of the request by the route that answers it. */
export function nameRequestSpan(method: string, route: string): void {
  if (!isTracing) return;
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}

/** A statement by its verb and its first table: `SELECT Invoice`. */
function summaryOf(text: string): string {
  const [, verb = 'SQL'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"public"\.)?"(\w+)"/.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** Sends a statement inside a span. Its text has no values, which are parameters. */
export const inStatementSpan = <T>(text: string, send: () => Promise<T>): Promise<T> =>
  inSpan(
    () => ({
      name: summaryOf(text),
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    }),
    send,
  );

/** The trace a request belongs to, by its header `traceparent`. */
export const callerOf = (headers: { readonly get: (name: string) => string | null }): Context =>
  propagation.extract(context.active(), headers, {
    get: (from, name) => from.get(name) ?? undefined,
    keys: () => [],
  });

/** Names the trace and the span around the call, for the log; nothing outside one. */
export function spanNames(): { traceId: string; spanId: string } | undefined {
  const { traceId, spanId } = (isTracing && trace.getActiveSpan()?.spanContext()) || {};
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}
