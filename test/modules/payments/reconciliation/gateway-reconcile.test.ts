import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import {
  createActiveSubscription,
  createSubscription,
  latestTransaction,
  otherShop,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../../../support/processor.ts';
import { openStripe, type StripeServer, stripeMethods } from '../../../support/stripe.ts';

// Reconciles payment attempts with payment providers' records. Repairs a difference if there is exactly one safe resolution. Otherwise,
// reports it.

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let stripe: StripeServer;
let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  [stripe, processor] = [await openStripe(), await openProcessor()];
  t = await startApp({
    wall,
    env: { STRIPE_URL: stripe.url, PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' },
    gateways: chargingSandboxes,
  });
});
beforeEach(async () => {
  processor.plays('settles');
  shop = await otherShop(t);
});
afterEach(async () => {
  expect(await run('{ ledgerVerify { ok mismatches { account } } }')).toEqual({
    ledgerVerify: { ok: true, mismatches: [] },
  });
});
afterAll(async () => {
  await t.close();
  await stripe.close();
  await processor.close();
});

type Row = Record<string, unknown>;
type Answer = { checked: number; open: number; isComplete: boolean; next: string | null; differences: Row[] };

const run = <T = Row>(query: string, variables: Row = {}): Promise<T> =>
  t.graphql<T>(query, variables, { key: shop.key });
const reconcileText = `mutation ($input: GatewayReconcileInput!) { gatewayReconcile(input: $input) {
  checked open isComplete next
  differences { kind attemptId refundOf reference statusHere statusThere amountHere amountThere currency isRepaired }
} }`;
const reconcile = async (input: Row = {}): Promise<Answer> =>
  (await run<{ gatewayReconcile: Answer }>(reconcileText, { input })).gatewayReconcile;
const list = async (path: string): Promise<Row[]> =>
  (await shop.rest<{ data: Row[] }>('GET', path)).body.data;
const transactions = async (): Promise<unknown[]> =>
  (await list('/transactions')).map(({ status }) => status).toReversed();
const statusOf = async (id: string): Promise<unknown> =>
  (await shop.rest('GET', `/subscriptions/${id}`)).body['status'];
const agreed = { checked: 1, open: 0, isComplete: true, next: null, differences: [] };
const payText = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';

describe("reconciliation with the platform's payment provider", () => {
  test('finds no differences for known charges, and resolves an attempt without a response once', async () => {
    await createActiveSubscription(shop);
    expect(await reconcile()).toEqual(agreed);
    processor.plays('settles silently');
    const { id, token } = await createSubscription(shop);
    await t.graphqlFailure(payText, { input: payment(token) }, { key: null });
    expect(await transactions()).toEqual(['succeeded', 'pending']);
    const { differences, ...counts } = await reconcile();
    expect(counts).toEqual({ ...agreed, checked: 2, differences: undefined });
    expect(differences).toMatchObject([
      { kind: 'status', statusHere: 'pending', statusThere: 'settled', isRepaired: true },
    ]);
    expect([await transactions(), await statusOf(id)]).toEqual([['succeeded', 'succeeded'], 'active']);
    expect(await reconcile()).toEqual({ ...agreed, checked: 2 });
    expect(await transactions()).toEqual(['succeeded', 'succeeded']);
  });

  test('reports an outcome that differs, and changes nothing', async () => {
    const { id } = await createActiveSubscription(shop);
    const attemptId = await latestTransaction(shop, id);
    processor.decides(attemptId, { status: 'declined', declineCode: 'card_declined' });
    const about = {
      attemptId,
      refundOf: null,
      reference: attemptId,
      amountHere: 4_900,
      amountThere: 4_900,
      currency: 'usd',
    };
    const emitted = {
      ...about,
      kind: 'status',
      statusHere: 'settled',
      statusThere: 'declined',
      isRepaired: false,
    };
    expect(await reconcile()).toEqual({ ...agreed, differences: [emitted] });
    expect([await transactions(), await statusOf(id)]).toEqual([['succeeded'], 'active']);
  });

  test('leaves an attempt pending while the provider is processing it', async () => {
    processor.plays('works');
    const { token } = await createSubscription(shop);
    await t.graphqlFailure(payText, { input: payment(token) }, { key: null });
    expect(await reconcile()).toEqual({ ...agreed, open: 1, isComplete: false });
    expect(await transactions()).toEqual(['pending']);
  });

  test('compares attempts one page at a time', async () => {
    for (let count = 0; count < 3; count++) await createActiveSubscription(shop);
    const first = await reconcile({ limit: 2 });
    expect(first).toEqual({ ...agreed, checked: 2, next: expect.stringMatching(/^txn_/) });
    expect(await reconcile({ limit: 2, after: first.next })).toEqual(agreed);
    const { errors } = await t.graphqlFailure(
      reconcileText,
      { input: { after: 'txn_unknown' } },
      { key: shop.key },
    );
    expect(errors[0]?.extensions).toMatchObject({ code: 'not_found', param: 'after' });
  });
});

describe('reconciliation with Stripe', () => {
  beforeEach(async () => {
    await t.settings({ issuerAddress: '1 Main St' }, shop.environmentId);
    const keys = { name: 'Main', secretKey: 'sk_test_1', publishableKey: 'pk_test_1', isDefault: true };
    await run(
      'mutation ($input: ConnectedAccountCreateInput!) { connectedAccountCreate(input: $input) { id } }',
      { input: keys },
    );
  });

  const own = (prefix: string): Row[] =>
    stripe.of(prefix).filter(({ metadata }) => metadata['environment'] === shop.environmentId);

  /** Creates an active subscription and returns its ID, Stripe payment intent, and transaction. */
  async function active() {
    const { id, token } = await createSubscription(shop);
    await t.graphql(payText, { input: { token, paymentMethod: stripeMethods.pays } }, { key: null });
    return { id, intent: String(own('pi').at(-1)?.['id']), transactionId: await latestTransaction(shop, id) };
  }

  test('records partial and full refunds made at Stripe once (PAY-28, PAY-29)', async () => {
    const { id, intent, transactionId } = await active();
    expect(await reconcile()).toEqual(agreed);
    const part = stripe.returns(intent, 900);
    const taken = {
      kind: 'missing_here',
      reference: part,
      refundOf: transactionId,
      amountThere: 900,
      isRepaired: true,
    };
    expect((await reconcile()).differences).toMatchObject([taken]);
    expect(await reconcile()).toEqual(agreed);
    expect([await transactions(), await statusOf(id)]).toEqual([['succeeded'], 'active']);
    // 4,900 were charged and 900 refunded, so 4,000 remain.
    stripe.returns(intent, 4_000);
    expect((await reconcile()).differences).toMatchObject([
      { kind: 'missing_here', amountThere: 4_000, isRepaired: true },
    ]);
    expect([await transactions(), await statusOf(id)]).toEqual([['refunded'], 'canceled']);
    expect(await reconcile()).toEqual(agreed);
    // Quittance didn't request any of the refunds.
    expect(stripe.calls.filter((call) => call === 'POST /v1/refunds')).toEqual([]);
  });

  test('reports a refund that exceeds the charged amount (PAY-27)', async () => {
    const { id, intent } = await active();
    stripe.returns(intent, 5_000);
    expect((await reconcile()).differences).toMatchObject([
      { kind: 'missing_here', amountThere: 5_000, isRepaired: false },
    ]);
    expect([await transactions(), await statusOf(id)]).toEqual([['succeeded'], 'active']);
  });

  test('reports a different amount, a missing payment, and a payment without an attempt', async () => {
    const { intent, transactionId } = await active();
    stripe.changes(intent, { amount: 5_000 });
    const amount = {
      kind: 'amount',
      attemptId: transactionId,
      reference: intent,
      amountHere: 4_900,
      amountThere: 5_000,
      isRepaired: false,
    };
    expect((await reconcile()).differences).toMatchObject([amount]);
    stripe.changes(intent, { metadata: { environment: shop.environmentId, attempt: 'txn_never' } });
    expect((await reconcile()).differences).toMatchObject([
      { kind: 'missing_there', attemptId: transactionId, statusThere: null },
      { kind: 'missing_here', attemptId: null, reference: intent, statusThere: 'settled', isRepaired: false },
    ]);
    stripe.changes(intent, null);
    expect((await reconcile()).differences).toMatchObject([
      { kind: 'missing_there', attemptId: transactionId },
    ]);
    expect(await transactions()).toEqual(['succeeded']);
  });
});
