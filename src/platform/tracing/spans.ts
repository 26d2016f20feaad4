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

// Tracing spans, based on the OpenTelemetry API. Tracing is turned off if no collector is configured.

const tracer = trace.getTracer('quittance');
let isTracing = false;

/** Turns on tracing. Called after the exporter has started. */
export function beginTracing(): void {
  isTracing = true;
}

export type SpanStart = {
  readonly name: string;
  readonly kind?: SpanKind;
  readonly attributes?: Attributes;
  /** Context of the parent span. Defaults to the context of the current span. */
  readonly parent?: Context;
};

function fail(span: Span, error: unknown): void {
  const { name, message } = error instanceof Error ? error : new Error(String(error));
  span.setAttribute('error.type', name);
  span.setStatus({ code: SpanStatusCode.ERROR, message });
}

/**
 * Runs work in a span and records a failure in the span. `start` is called only if tracing is turned on. `ended` adds attributes that
 * describe the result.
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

/** Renames the span of the current request to the method and the route. */
export function nameRequestSpan(method: string, route: string): void {
  if (!isTracing) return;
  trace.getActiveSpan()?.updateName(`${method} ${route}`).setAttribute('http.route', route);
}

/** Returns the verb and the first table of an SQL statement, such as `SELECT Invoice`. */
function summaryOf(text: string): string {
  const [, verb = 'SQL'] = /^\s*(\w+)/.exec(text) ?? [];
  const [, table] = /\b(?:FROM|INTO|UPDATE|JOIN)\s+(?:"public"\.)?"(\w+)"/.exec(text) ?? [];
  return table === undefined ? verb : `${verb} ${table}`;
}

/** Executes an SQL statement in a span. The text contains no values, because values are parameters. */
export const inStatementSpan = <T>(text: string, send: () => Promise<T>): Promise<T> =>
  inSpan(
    () => ({
      name: summaryOf(text),
      kind: SpanKind.CLIENT,
      attributes: { 'db.system.name': 'postgresql', 'db.query.text': text },
    }),
    send,
  );

/** Returns the trace context from the request header `traceparent`. */
export const callerOf = (headers: { readonly get: (name: string) => string | null }): Context =>
  propagation.extract(context.active(), headers, {
    get: (from, name) => from.get(name) ?? undefined,
    keys: () => [],
  });

/** Returns the current trace and span IDs for log entries. Undefined outside a span. */
export function spanNames(): { traceId: string; spanId: string } | undefined {
  const { traceId, spanId } = (isTracing && trace.getActiveSpan()?.spanContext()) || {};
  return traceId === undefined || spanId === undefined ? undefined : { traceId, spanId };
}
