import { randomBytes } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { childStorage } from '../support/storage.ts';

// Tests the spans that an OpenTelemetry collector receives for a request. One trace spans everything from the caller to the SQL statements.

const key = 'ck_sandbox_tracing_0123456789abcdef';

type Value = { readonly stringValue?: string; readonly intValue?: number };
type Span = {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly attributes: readonly { readonly key: string; readonly value: Value }[];
};
type Sent = {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: Span['attributes'] };
    readonly scopeSpans: readonly { readonly spans: readonly Span[] }[];
  }[];
};

const attribute = ({ attributes }: { readonly attributes: Span['attributes'] }, name: string) => {
  const value = attributes.find((each) => each.key === name)?.value;
  return value?.stringValue ?? value?.intValue ?? null;
};

const received: Sent[] = [];
const collector = createServer((request, response) => {
  void json(request).then((sent) => {
    received.push(sent as Sent);
    response.setHeader('Content-Type', 'application/json').end('{}');
  });
});
let child: Child;
let remove: () => Promise<unknown>;

beforeAll(async () => {
  await new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve));
  const { port } = collector.address() as AddressInfo;
  const storage = await childStorage({
    BOOTSTRAP_API_KEY: key,
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
    OTEL_SERVICE_NAME: 'billing',
    OTEL_TRACES_SAMPLER_ARG: '0',
  });
  remove = storage.remove;
  child = await startChild(storage.env);
});
afterAll(async () => {
  await child?.stop();
  await remove?.();
  collector.close();
});

/** Sends a request with the trace headers of a caller that samples the trace. */
async function traced(path: string, body: object): Promise<{ traceId: string; parent: string }> {
  const traceId = randomBytes(16).toString('hex');
  const parent = randomBytes(8).toString('hex');
  const response = await fetch(`${child.url}${path}`, {
    method: 'POST',
    headers: {
      'x-api-key': key,
      'content-type': 'application/json',
      traceparent: `00-${traceId}-${parent}-01`,
    },
    body: JSON.stringify(body),
  });
  expect(response.status).toBeLessThan(300);
  await response.text();
  return { traceId, parent };
}

test('a trace contains a request with its operation, transaction, and SQL statements, and no other traces are sent', async () => {
  const customer = await traced('/api/v1/customers', { email: 'ada@shop.test', externalId: 'ada' });
  const question = await traced('/graphql', {
    query: 'query Ada { customer(id: "ada") { email } }',
  });
  // Pending spans are sent before the process exits.
  expect(await child.stop()).toBe(0);

  const [first] = received;
  expect(attribute(first?.resourceSpans[0]?.resource ?? { attributes: [] }, 'service.name')).toBe('billing');
  const spans = received.flatMap(({ resourceSpans }) =>
    resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap((scope) => scope.spans)),
  );
  const of = (traceId: string) => spans.filter((span) => span.traceId === traceId);
  expect(new Set(spans.map(({ traceId }) => traceId))).toEqual(new Set([customer.traceId, question.traceId]));

  const [request] = of(customer.traceId).filter(({ name }) => name === 'POST /api/v1/customers');
  expect(request?.parentSpanId).toBe(customer.parent);
  expect(request && attribute(request, 'http.response.status_code')).toBe(201);
  const names = of(customer.traceId).map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['transaction', 'INSERT Customer']));
  // Spans contain no parameter values.
  expect(JSON.stringify(spans)).not.toContain('ada@shop.test');
  expect(JSON.stringify(spans)).not.toContain(key);

  const [operation] = of(question.traceId).filter(({ name }) => name === 'query Ada');
  const [statement] = of(question.traceId).filter(({ name }) => name === 'SELECT Customer');
  expect(operation).toBeDefined();
  expect(statement?.parentSpanId).toBe(operation?.spanId);
});
