import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startApp, type TestApp } from '../support/harness.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await startApp();
});
afterAll(() => shop.close());

const refusal = async (query: string): Promise<{ code: unknown; message: string; data: unknown }> => {
  const { errors, data, status } = await shop.graphqlFailure(query);
  expect(status).toBe(400);
  return { code: errors[0]?.extensions['code'], message: errors[0]?.message ?? '', data: data ?? null };
};

describe('hostile operations', () => {
  it('are refused by cost before anything runs', async () => {
    const inner = '{ edges { node { invoices(first: 100) { edges { node { lineItems { amount description } } } } } } }';
    const answer = await refusal(`{ customers(first: 100) ${inner} }`);
    expect(answer).toMatchObject({ code: 'validation_error', data: null });
    expect(answer.message).toMatch(/costs \d+; at most 50000/);
  });

  it('are refused by depth', async () => {
    const nest = (levels: number): string => (levels === 0 ? 'id' : `subscription { customer { ${nest(levels - 1)} } }`);
    expect((await refusal(`{ customer(id: "x") { ${nest(12)} } }`)).message).toMatch(/levels deep; at most 20/);
  });

  it('are refused by aliases', async () => {
    const fields = Array.from({ length: 51 }, (_, index) => `a${index}: customer(id: "x") { id }`).join(' ');
    expect(await refusal(`{ ${fields} }`)).toMatchObject({ code: 'validation_error', data: null });
  });

  it('are refused by length', async () => {
    expect(await refusal(`{ ${'__typename '.repeat(4_001)} }`)).toMatchObject({ code: 'validation_error' });
  });

  it('are refused in batches of more than ten', async () => {
    const call = (size: number) =>
      fetch(`${shop.url}/graphql`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
        body: JSON.stringify(Array.from({ length: size }, () => ({ query: '{ __typename }' }))),
      });
    expect((await call(11)).status).toBe(400);
    const ten = await call(10);
    expect(ten.status).toBe(200);
    expect(await ten.json()).toHaveLength(10);
  });

  it('leave the page of a dashboard alone', async () => {
    const page = `{ customers(first: 25) { edges { node { email subscription { status plan { name } }
      invoices(first: 5) { edges { node { total lineItems { amount } } } } } } } }`;
    expect(await shop.graphql(page)).toEqual({ customers: { edges: [] } });
  });

  it('may ask for the whole schema', async () => {
    const { __schema } = await shop.graphql<{ __schema: { subscriptionType: { name: string } } }>(
      '{ __schema { subscriptionType { name } types { name fields { name args { name type { name ofType { name ofType { name ofType { name } } } } } } } } }',
    );
    expect(__schema.subscriptionType.name).toBe('Live');
  });
});

describe('the door', () => {
  it('answers 401 without a caller, and with a wrong one before anything runs', async () => {
    const without = await shop.graphqlFailure('{ customers { edges { cursor } } }', {}, { key: null });
    expect(without.status).toBe(401);
    expect(without.errors[0]?.extensions).toMatchObject({ code: 'unauthorized', type: 'authentication_error', status: 401 });
    const wrong = await shop.graphqlFailure('{ __typename }', {}, { key: 'ck_sandbox_nobody' });
    expect(wrong.status).toBe(401);
    expect(wrong.errors[0]?.extensions).toMatchObject({ code: 'unauthorized' });
  });

  it('carries the request id in the header and in every error', async () => {
    const response = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': shop.sandboxKey },
      body: JSON.stringify({ query: '{ customer(id: "nobody") { id } }' }),
    });
    const { errors } = (await response.json()) as { errors: { extensions: Record<string, unknown> }[] };
    expect(response.status).toBe(200);
    expect(errors[0]?.extensions).toEqual({
      type: 'not_found_error',
      code: 'customer_not_found',
      param: 'id',
      doc_url: `${shop.url}/docs/api-reference/2026-08-27/errors/customer_not_found.md`,
      status: 404,
      requestId: response.headers.get('x-request-id'),
    });
  });

  it('serves GraphiQL without asking another server for its parts', async () => {
    const page = await (await fetch(`${shop.url}/graphql`, { headers: { accept: 'text/html' } })).text();
    expect(page).toContain('Quittance');
    expect(page).not.toMatch(/<script[^>]+src="?https?:/);
  });

  it('streams live fields as server-sent events', async () => {
    const response = await fetch(`${shop.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'text/event-stream', 'x-api-key': shop.sandboxKey },
      body: JSON.stringify({ query: 'subscription { eventStream(types: ["customer.created"]) { event data } }' }),
    });
    expect(response.headers.get('content-type')).toContain('text/event-stream');
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader();
    if (reader === undefined) throw new Error('The answer has no body.');
    let text = (await reader.read()).value ?? '';
    await shop.rest('POST', '/customers', { email: 'sse@example.com', externalId: 'sse' });
    while (!text.includes('customer.created')) text += (await reader.read()).value ?? '';
    expect(text).toContain('"externalId":"sse"');
    await reader.cancel();
  });
});

describe('the edges of the server', () => {
  it('tells that it lives, that it is ready, and what it measures', async () => {
    expect(await (await fetch(`${shop.url}/healthz`)).json()).toEqual({ status: 'ok' });
    expect(await (await fetch(`${shop.url}/readyz`)).json()).toEqual({ status: 'ready' });
    const metrics = await (await fetch(`${shop.url}/metrics`)).text();
    expect(metrics).toMatch(/quittance_http_request_duration_seconds_count\{surface="rest",status="201"\} 1\n/);
  });

  it('answers unknown addresses in the envelope', async () => {
    const response = await fetch(`${shop.url}/nowhere`);
    expect(response.status).toBe(404);
    expect(await response.json()).toEqual({
      error: {
        type: 'not_found_error',
        code: 'not_found',
        message: 'There is nothing at /nowhere.',
        doc_url: `${shop.url}/docs/api-reference/2026-08-27/errors/not_found.md`,
      },
    });
  });
});
