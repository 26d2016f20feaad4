import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Child, startChild } from '../support/child.ts';
import { childStorage } from '../support/storage.ts';
import { type Fault, openStripe, type StripeServer, stripeMethods } from '../support/stripe.ts';

// A process that ends while processors at the other end of a network are being asked (BIL-5, protocols B6, D1): whether the money had been
// taken by then or not, it is taken once, and the clock run goes on as if nothing had happened.

const key = 'ck_sandbox_charges_0123456789abcdef';
const cleanups: (() => Promise<void>)[] = [];
let stripe: StripeServer;
beforeAll(async () => {
  stripe = await openStripe();
});
afterAll(async () => {
  for (const cleanup of cleanups) await cleanup();
  await stripe.close();
});

type Json = Record<string, unknown>;

async function call(child: Child, method: string, route: string, body?: unknown, isPayer = false): Promise<Json> {
  const response = await fetch(`${child.url}${route}`, {
    method,
    headers: { 'content-type': 'application/json', ...(isPayer ? {} : { 'x-api-key': key }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = (await response.json()) as Json;
  if (!response.ok || 'errors' in answer) throw new Error(`${method} ${route}: ${JSON.stringify(answer)}`);
  return answer;
}

const rest = (child: Child, method: string, route: string, body?: unknown) => call(child, method, `/api/v1${route}`, body);

const graphql = (child: Child, query: string, variables: Json = {}) => call(child, 'POST', '/graphql', { query, variables });

/** An account at Stripe, and customers on a plan who have paid by it. */
async function prepare(child: Child, customers: number): Promise<void> {
  await graphql(child, 'mutation { organizationUpdate(input: { issuerAddress: "1 Main St" }) { id } }');
  const input = { name: 'Main', secretKey: 'sk_test_1', publishableKey: 'pk_test_1', isDefault: true };
  await graphql(child, 'mutation ($input: PaymentConnectionCreateInput!) { paymentConnectionCreate(input: $input) { id } }', { input });
  const plan = await rest(child, 'POST', '/plans', { name: 'Pro', code: 'pro' });
  await rest(child, 'POST', `/plans/${String(plan['id'])}/prices`, { billingInterval: 'monthly', price: 1_900 });
  for (let index = 0; index < customers; index++) {
    await rest(child, 'POST', '/customers', { email: `c${index}@example.com`, externalId: `c${index}` });
    const { checkoutUrl } = await rest(child, 'POST', '/subscriptions', { customerId: `c${index}`, planCode: 'pro' });
    const query = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
    const variables = { input: { token: String(checkoutUrl).split('/').at(-1), paymentMethod: stripeMethods.pays } };
    expect(await call(child, 'POST', '/graphql', { query, variables }, true)).toEqual({ data: { checkoutPay: { status: 'paid' } } });
  }
}

async function runEnded(child: Child): Promise<Json> {
  for (;;) {
    const { latestRun } = (await rest(child, 'GET', '/test-clock')) as { latestRun: Json };
    if (latestRun['status'] !== 'pending' && latestRun['status'] !== 'running') return latestRun;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

const charges = '/v1/payment_intents';
const asked = (): number => stripe.calls.filter((one) => one === `POST ${charges}`).length;
const taken = (): number => stripe.of('pi').filter(({ status }) => status === 'succeeded').length;

test.each<[string, Fault]>([
  ['after the money was taken', 'hangs after'],
  ['before the processor did anything', 'hangs before'],
])('a process killed while renewals are being charged, %s, charges each once', { timeout: 120_000 }, async (_when, fault) => {
  const { env, remove } = await childStorage({
    BOOTSTRAP_API_KEY: key,
    RATE_LIMIT_PER_MINUTE: '0',
    WORKER_POLL_MS: '50',
    APP_SECRET: 'a secret of the kill test, long enough',
    STRIPE_URL: stripe.url,
    CHARGE_CONCURRENCY: '2',
  });
  cleanups.push(remove);
  const customers = 5;
  let child = await startChild(env);
  await prepare(child, customers);
  const [before, calls] = [taken(), asked()];
  // Two are asked for at once and answered nothing; the other three wait for their turn when the process ends.
  stripe.fails(charges, fault, fault);
  await rest(child, 'POST', '/test-clock', { advanceDays: 40 });
  while (asked() < calls + 2) await new Promise((resolve) => setTimeout(resolve, 20));
  await child.kill();
  child = await startChild(env);
  expect(await runEnded(child)).toMatchObject({ status: 'completed', failedDeadlineCount: 0 });
  const { data } = (await rest(child, 'GET', '/transactions?limit=100')) as { data: readonly Json[] };
  expect(data.map(({ status }) => status)).toEqual(Array.from({ length: 2 * customers }, () => 'succeeded'));
  const invoices = (await rest(child, 'GET', '/invoices?limit=100')) as { data: readonly Json[] };
  expect(invoices.data.map(({ status }) => status)).toEqual(Array.from({ length: 2 * customers }, () => 'paid'));
  expect(taken() - before).toBe(customers);
  const verified = await graphql(child, '{ ledgerVerify { ok mismatches { account } } }');
  expect(verified).toEqual({ data: { ledgerVerify: { ok: true, mismatches: [] } } });
  expect(await child.stop()).toBe(0);
});
