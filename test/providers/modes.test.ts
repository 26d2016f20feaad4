import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { ChargeRequest } from '../../src/domain/provider.ts';
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

// Which gateway stands behind the provider `platform`: the built-in one in every sandbox, whatever the settings say, the provider in live mode
// (PLT-3, BIL-60, PLT-16).

const wall = new MovableClock('2027-03-01T10:00:00.000Z');
const method = 'pm_rail_1';

let processor: Processor;
let t: TestApp;
beforeAll(async () => {
  processor = await openProcessor();
  processor.bank.methods.set(method, { brand: 'visa', last4: '1111', expMonth: 12, expYear: 2099 });
  t = await startApp({ wall, env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '20' } });
});
beforeEach(() => {
  processor.calls.length = 0;
  processor.plays('declines');
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

describe('a sandbox beside a provider', () => {
  test('charges, renews and refunds by test cards, and the provider hears nothing of it', async () => {
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

  test('declines by test cards as well, at checkouts and later (BIL-60)', async () => {
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

  test('takes payments by links, charges stored cards and plays its bank, and the provider hears nothing of it', async () => {
    const shop = await otherShop(t);
    expect(await tryLink(shop, await createPayment(shop), undefined, { email: 'new@payer.test' })).toBe(
      'paid',
    );
    const { customerId } = await createPayer(shop);
    const charged = await shop.rest('POST', '/payments/charge', requested({ customerId }));
    expect([charged.status, charged.body['status']]).toEqual([201, 'succeeded']);
    await createPayout(shop);
    // On its way the next business day, paid two later.
    expect(await advanceDays(shop, 7)).toBe('completed');
    const shown = await t.graphql('{ payouts { edges { node { status } } } }', {}, { key: shop.key });
    expect(shown).toEqual({ payouts: { edges: [{ node: { status: 'paid' } }] } });
    expect(processor.calls).toEqual([]);
  });
});

test('the live environment of the same process is charged and paid out through the provider', async () => {
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

describe('the gateways of a process', () => {
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
    ['with a provider', 'http://127.0.0.1:9'],
    ['without one', undefined],
  ])(
    '%s are the built-in one for the platform in a sandbox, and the same for Stripe in both modes',
    (_what, platformProcessorUrl) => {
      const { gatewayOf } = opened(platformProcessorUrl);
      expect(gatewayOf('platform', false)).toBe(sandboxGateway);
      expect(gatewayOf('platform', true)).not.toBe(sandboxGateway);
      expect(gatewayOf('stripe', false)).toBe(gatewayOf('stripe', true));
    },
  );

  test('without a provider say nothing about live money, which waits for one: nothing is made up', async () => {
    const gateway = opened(undefined).gatewayOf('platform', true);
    if (gateway.local) throw new Error('Live money is not played with.');
    expect(await gateway.charge(request, 'env_1')).toEqual({ status: 'unknown' });
    expect(await gateway.inquire(request, 'env_1')).toEqual({ status: 'unknown' });
    expect(await gateway.cancel(request, 'env_1')).toEqual({ status: 'unknown' });
    await expect(gateway.find(request, 'env_1')).rejects.toThrow('There is no rail');
  });
});
