import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { openProcessor, type Processor, type Script } from '../support/processor.ts';
import { childStorage } from '../support/storage.ts';

// A process that ends while processors at the other end of a network are being asked (BIL-5, protocols B6, D1): whether the money had been
// taken by then or not, it is taken once, and the clock run goes on as if nothing had happened.

const key = 'ck_sandbox_charges_0123456789abcdef';
const cleanups: (() => Promise<void>)[] = [];
let processor: Processor;
beforeAll(async () => {
  processor = await openProcessor();
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await processor.close();
});

type Json = Record<string, unknown>;

async function call(child: Child, method: string, route: string, body?: unknown): Promise<Json> {
  const response = await fetch(`${child.url}${route}`, {
    method,
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok || 'errors' in answer) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
  return answer;
}

const rest = (child: Child, method: string, route: string, body?: unknown) => call(child, method, `/api/v1${route}`, body);

async function prepare(child: Child, customers: number): Promise<void> {
  const plan = await rest(child, 'POST', '/plans', { name: 'Pro', code: 'pro' });
  await rest(child, 'POST', `/plans/${String(plan['id'])}/prices`, { billingInterval: 'monthly', price: 1_900 });
  for (let index = 0; index < customers; index++) {
    await rest(child, 'POST', '/customers', { email: `c${index}@example.com`, externalId: `c${index}` });
    const { checkoutUrl } = await rest(child, 'POST', '/subscriptions', { customerId: `c${index}`, planCode: 'pro' });
    const card = { number: '4242424242424242', expMonth: 12, expYear: 2099, cvc: '123' };
    const response = await fetch(`${child.url}/graphql`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        query: 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }',
        variables: { input: { token: String(checkoutUrl).split('/').at(-1), card } },
      }),
    });
    expect(await response.json()).toEqual({ data: { checkoutPay: { status: 'paid' } } });
  }
}

async function runEnded(child: Child): Promise<Json> {
  for (;;) {
    const { latestRun } = (await rest(child, 'GET', '/test-clock')) as { latestRun: Json };
    if (latestRun['status'] !== 'pending' && latestRun['status'] !== 'running') return latestRun;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

test.each<[string, Script]>([
  ['after the money was taken', 'settles and hangs'],
  ['before the processor did anything', 'hangs'],
])('a process killed while renewals are being charged, %s, charges each once', { timeout: 120_000 }, async (_when, script) => {
  const { env, remove } = await childStorage({
    BOOTSTRAP_API_KEY: key,
    RATE_LIMIT_PER_MINUTE: '0',
    WORKER_POLL_MS: '50',
    APP_SECRET: 'a secret of the kill test, long enough',
    RAIL_URL: processor.url,
    CHARGE_CONCURRENCY: '2',
  });
  cleanups.push(remove);
  const customers = 5;
  processor.plays('settles');
  let child = await startChild(env);
  await prepare(child, customers);
  const [before, calls] = [processor.taken().length, processor.calls.length];
  // Two are asked for at once and answered nothing; the other three wait for their turn when the process ends.
  processor.plays(script);
  await rest(child, 'POST', '/test-clock', { advanceDays: 40 });
  await processor.received(calls + 2);
  await child.kill();
  processor.plays('settles');
  child = await startChild(env);
  expect(await runEnded(child)).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
  const { data } = (await rest(child, 'GET', '/transactions?limit=100')) as { data: readonly Json[] };
  expect(data.map(({ status }) => status)).toEqual(Array.from({ length: 2 * customers }, () => 'succeeded'));
  const invoices = (await rest(child, 'GET', '/invoices?limit=100')) as { data: readonly Json[] };
  expect(invoices.data.map(({ status }) => status)).toEqual(Array.from({ length: 2 * customers }, () => 'paid'));
  expect(processor.taken().length - before).toBe(customers);
  const verified = await call(child, 'POST', '/graphql', { query: '{ ledgerVerify { ok mismatches { account } } }' });
  expect(verified).toEqual({ data: { ledgerVerify: { ok: true, mismatches: [] } } });
  expect(await child.stop()).toBe(0);
});
