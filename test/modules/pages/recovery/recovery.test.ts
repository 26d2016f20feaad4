import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  cards,
  createActiveSubscription,
  createPastDueSubscription,
  createSubscription,
  firstShop,
  pay,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';
import { allEvents, expectLedgerBalanced, word } from '../../../support/stories.ts';

type Request = { status: string; amountDue: number; successUrl: string | null };

describe('a hosted page with a card form', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  const ask = async (operation: string, variables: Record<string, unknown>): Promise<Request | undefined> =>
    (await t.graphql<{ request: Request }>(operation, variables, { key: null })).request;
  const tokenOf = (url: string) => url.split('/').at(-1) ?? '';
  const recovery = (token: string) =>
    ask('query ($token: String!) { request: recovery(token: $token) { status amountDue successUrl } }', {
      token,
    });
  const recoveryPay =
    'mutation ($input: RecoveryPayInput!) { request: recoveryPay(input: $input) { status amountDue successUrl } }';
  const methodStore =
    'mutation ($input: PaymentMethodStoreInput!) { request: paymentMethodStore(input: $input) { status amountDue successUrl } }';
  const statusOf = async (id: string) =>
    (await shop.rest<{ status: string }>('GET', `/subscriptions/${id}`)).body.status;
  const events = async (before: number) => (await allEvents(t)).slice(before).map(word);
  const declined = (operation: string, token: string) =>
    t.graphqlFailure(operation, { input: payment(token, cards.declines) }, { key: null });

  it('charges the outstanding amount of a past-due subscription to a new card once (SUB-35)', async () => {
    const { id } = await createPastDueSubscription(shop);
    const token = tokenOf(
      (await shop.rest<{ url: string }>('POST', `/subscriptions/${id}/recovery-links`)).body.url,
    );
    expect(await recovery(token)).toMatchObject({ status: 'open', amountDue: 4_900 });
    const before = (await allEvents(t)).length;
    const { errors } = await declined(recoveryPay, token);
    expect(errors[0]?.extensions).toMatchObject({
      code: 'charge_failed',
      details: { declineCode: 'card_declined' },
    });
    expect(await statusOf(id)).toBe('past_due');

    expect(await ask(recoveryPay, { input: payment(token) })).toMatchObject({
      status: 'paid',
      amountDue: 4_900,
    });
    expect(await statusOf(id)).toBe('active');
    expect(await events(before)).toEqual([
      'payment_method.updated',
      'payment.received',
      'payment.recovered',
      'customer.state_changed:subscription_activated',
    ]);
    expect(await rejection(t, recoveryPay, { input: payment(token) }, { key: null })).toMatchObject({
      code: 'no_outstanding_invoice',
    });
    await expectLedgerBalanced(t);
  });

  it('completes a declined reactivation (SUB-32)', async () => {
    const made = await createSubscription(shop);
    await pay(shop, made.token, cards.declinesLater);
    await shop.rest('POST', `/subscriptions/${made.id}/cancel`, { immediate: true });
    type Rejected = { error: { details: { recoveryUrl: string } } };
    const { body } = await shop.rest<Rejected>('POST', `/subscriptions/${made.id}/reactivate`, {});
    const token = tokenOf(body.error.details.recoveryUrl);
    const before = (await allEvents(t)).length;
    await declined(recoveryPay, token);
    expect(await events(before)).toEqual([]);
    const emitted = await Promise.all(
      [1, 2].map(() => ask(recoveryPay, { input: payment(token) }).catch(() => undefined)),
    );
    expect(emitted.filter((request) => request?.status === 'paid')).toHaveLength(1);
    expect(await statusOf(made.id)).toBe('active');
    expect(await events(before)).toEqual([
      'payment_method.updated',
      'payment.received',
      'subscription.reactivated',
      'customer.state_changed:subscription_activated',
    ]);
    await expectLedgerBalanced(t);
  });

  it('stores a new card without a charge (SUB-36)', async () => {
    const { id } = await createActiveSubscription(shop);
    const successUrl = 'https://shop.test/danke?für=dich';
    const { status, body } = await shop.rest<{ checkoutUrl: string }>(
      'POST',
      `/subscriptions/${id}/payment-method/update`,
      { successUrl },
    );
    expect({ status, body }).toMatchObject({
      status: 200,
      body: { object: 'checkout_session', livemode: false },
    });
    const token = tokenOf(body.checkoutUrl);
    const before = (await allEvents(t)).length;
    const { errors } = await declined(methodStore, token);
    expect(errors[0]?.extensions).toMatchObject({ code: 'charge_failed' });
    expect(await ask(methodStore, { input: payment(token) })).toEqual({
      status: 'open',
      amountDue: 0,
      successUrl,
    });
    expect(await events(before)).toEqual(['payment_method.updated']);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    expect(await rejection(t, methodStore, { input: payment(token) }, { key: null })).toMatchObject({
      code: 'invalid_subscription_status',
    });
  });

  it('rejects tokens for other pages', async () => {
    const { token } = await createSubscription(shop);
    for (const operation of [recoveryPay, methodStore]) {
      expect(await rejection(t, operation, { input: payment(token) }, { key: null })).toMatchObject({
        code: 'unauthorized',
      });
    }
  });
});
