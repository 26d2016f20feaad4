import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChargeRequest } from '../../src/domain/payments/provider.ts';
import { openGateways } from '../../src/providers/index.ts';
import { sandboxGateway } from '../../src/providers/sandbox.ts';
import { MovableClock } from '../support/billing-world.ts';
import { eventually } from '../support/eventually.ts';
import {
  advanceDays,
  cards,
  createPayer,
  createPayment,
  createSubscription,
  latestTransaction,
  otherShop,
  pay,
  requested,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import { tryLink } from '../support/links.ts';
import { createPayout, liveShop, openPayouts } from '../support/payouts.ts';
import { openProcessor, type Processor } from '../support/processor.ts';

// Gateway selection for the provider `platform`: always the built-in gateway in a sandbox, and the payment provider in the live environment
// (PLT-3, BIL-60, PLT-16).

const wall = new MovableClock('2027-03-01T10:00:00.000Z');
const method = 'pm_rail_1';

let processor: Processor;
let t: TestApp;
beforeAll(async () => {
  processor = await openProcessor();
  processor.bank.methods.set(method, { brand: 'visa', last4: '1111', expMonth: 12, expYear: 2099 });
  t = await startApp({ wall, env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' } });
});
beforeEach(() => {
  processor.calls.length = 0;
  processor.plays('declines');
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

describe('a sandbox with a configured provider', () => {
  test('charges, renews, and refunds with test cards without calling the provider', async () => {
    const shop = await otherShop(t);
    const { id, token } = await createSubscription(shop);
    expect(await pay(shop, token)).toBe('paid');
    expect(await advanceDays(shop, 31)).toBe('completed');
    const transactionId = await latestTransaction(shop, id);
    const refund = await shop.rest('POST', `/transactions/${transactionId}/refund`, {});
    expect(refund.body).toMatchObject({ status: 'succeeded' });
    const { body } = await shop.rest<{ data: { status: string }[] }>('GET', '/transactions');
    expect(body.data.map(({ status }) => status)).toEqual(['refunded', 'succeeded']);
    expect(processor.calls).toEqual([]);
  });

  test('simulates declined charges at checkout and at renewal with test cards (BIL-60)', async () => {
    processor.plays('settles');
    const shop = await otherShop(t);
    const { token } = await createSubscription(shop);
    await expect(pay(shop, token, cards.declines)).rejects.toThrow('charge_failed');
    expect(await pay(shop, token, cards.declinesLater)).toBe('paid');
    expect(await advanceDays(shop, 31)).toBe('completed');
    const { body } = await shop.rest<{ data: { status: string }[] }>('GET', '/subscriptions');
    expect(body.data.map(({ status }) => status)).toEqual(['past_due']);
    expect(processor.calls).toEqual([]);
  });

  test('accepts payments at payment links, charges stored cards, and simulates payouts without calling the provider', async () => {
    const shop = await otherShop(t);
    expect(await tryLink(shop, await createPayment(shop), undefined, { email: 'new@payer.test' })).toBe(
      'paid',
    );
    const { customerId } = await createPayer(shop);
    const charged = await shop.rest('POST', '/payments/charge', requested({ customerId }));
    expect([charged.status, charged.body['status']]).toEqual([201, 'succeeded']);
    await createPayout(shop);
    // The payout is in transit on the next business day, and paid two business days later.
    expect(await advanceDays(shop, 7)).toBe('completed');
    const shown = await t.graphql('{ payouts { edges { node { status } } } }', {}, { key: shop.key });
    expect(shown).toEqual({ payouts: { edges: [{ node: { status: 'paid' } }] } });
    expect(processor.calls).toEqual([]);
  });
});

test('a live environment in the same process charges and pays out through the provider', async () => {
  processor.plays('settles');
  const shop = await liveShop(t);
  await openPayouts(shop, 5_000n);
  const { id, token } = await createSubscription(shop, { price: 1_900 });
  const payField = 'mutation ($input: CheckoutPayInput!) { checkoutPay(input: $input) { status } }';
  const paid = await t.graphql(payField, { input: { token, paymentMethod: method } }, { key: null });
  expect(paid).toEqual({ checkoutPay: { status: 'paid' } });
  const transactionId = await latestTransaction(shop, id);
  expect(processor.calls).toContain(`PUT ${transactionId}`);
  const { body: payout } = await shop.rest<{ id: string }>('POST', '/payouts', { amount: 2_000 });
  await eventually(() => processor.bank.made.has(payout.id));
  expect(processor.calls).toContain(`PUT ${payout.id}`);
});

describe('the gateway selection', () => {
  const request: ChargeRequest = {
    transactionId: 'ref_1',
    customerId: 'cus_1',
    subscriptionId: 'sub_1',
    invoiceId: 'inv_1',
    kind: 'refund',
    provider: 'platform',
    methodReference: method,
    refundOf: 'txn_1',
    amountMinor: 1_900n,
    currency: 'usd',
    isFirst: false,
  };
  const opened = (platformProcessorUrl: string | undefined) =>
    openGateways({
      config: { ...t.app.config, platformProcessorUrl },
      database: t.app.database,
      secrets: t.app.secrets,
    });

  test.each([
    ['with a payment provider', 'http://127.0.0.1:9'],
    ['without a payment provider', undefined],
  ])(
    'uses the built-in gateway for the platform in a sandbox, and the same Stripe gateway in both modes, %s',
    (_what, platformProcessorUrl) => {
      const { gatewayOf } = opened(platformProcessorUrl);
      expect(gatewayOf('platform', false)).toBe(sandboxGateway);
      expect(gatewayOf('platform', true)).not.toBe(sandboxGateway);
      expect(gatewayOf('stripe', false)).toBe(gatewayOf('stripe', true));
    },
  );

  test('returns no result for live payments if there is no provider, so the payments stay pending', async () => {
    const gateway = opened(undefined).gatewayOf('platform', true);
    if (gateway.local) throw new Error('Live payments must not use a local gateway.');
    expect(await gateway.charge(request, 'env_1')).toEqual({ status: 'unknown' });
    expect(await gateway.inquire(request, 'env_1')).toEqual({ status: 'unknown' });
    expect(await gateway.cancel(request, 'env_1')).toEqual({ status: 'unknown' });
    await expect(gateway.find(request, 'env_1')).rejects.toThrow('No payment provider is configured');
  });
});
