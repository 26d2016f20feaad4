import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  advanceDays,
  cards,
  createActiveSubscription,
  createCustomer,
  createOffer,
  createPastDueSubscription,
  createPricedPlan,
  createSubscription,
  firstShop,
  off,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { allEvents, expectLedgerBalanced, word } from '../../../support/stories.ts';

type Rejected = {
  error: { code: string; param?: string; details?: { declineCode?: string; recoveryUrl?: string } };
};
type Reactivated = Rejected & {
  invoiceId: string | null;
  status: string;
  offerApplication?: { total: number; phases: unknown[] };
};

describe('subscriptionReactivate', () => {
  let t: TestApp;
  let shop: Shop;
  beforeAll(async () => {
    t = await startApp();
    shop = firstShop(t);
  });
  afterAll(() => t.close());

  const reactivate = (id: string, body: Record<string, unknown> = {}) =>
    shop.rest<Reactivated>('POST', `/subscriptions/${id}/reactivate`, body);
  const cancel = (id: string) => shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
  const read = async (id: string) =>
    (await shop.rest<{ status: string; endDate: string | null }>('GET', `/subscriptions/${id}`)).body;
  const invoices = async (id: string) => {
    const { body } = await shop.rest<{ data: { status: string; total: number }[] }>(
      'GET',
      `/invoices?subscriptionId=${id}`,
    );
    return body.data.map(({ status, total }) => `${status} ${total}`);
  };
  const since = async (position: number) => (await allEvents(t)).slice(position).map(word);
  const emitted = async () => (await allEvents(t)).length;

  it('reactivates a canceled subscription with an offer (SUB-31)', async () => {
    const { id } = await createActiveSubscription(shop);
    await cancel(id);
    const offer = await createOffer(shop, [off.percent(2_500, 2)]);
    const before = await emitted();
    const { status, body } = await reactivate(id, { offerId: offer.id });
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: 'succeeded',
      offerApplication: { offerId: offer.id, subtotal: 4_900, total: 3_675 },
    });
    expect(await since(before)).toEqual([
      'invoice.created',
      'payment.received',
      'subscription.reactivated',
      'customer.state_changed:subscription_activated',
    ]);
    expect(await read(id)).toMatchObject({ status: 'active', endDate: null });
    expect(await invoices(id)).toEqual(['paid 3675', 'paid 4900']);
    await expectLedgerBalanced(t);
  });

  it('reactivates a free subscription without an invoice (SUB-33)', async () => {
    const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
      name: 'Free',
      code: shop.next('free'),
      isFree: true,
    });
    const { id } = await subscribeTo(shop, (await createCustomer(shop)).id, plan.id);
    await cancel(id);
    const before = await emitted();
    expect((await reactivate(id, { offerId: (await createOffer(shop)).id })).body.error.code).toBe(
      'offer_not_applicable',
    );
    expect((await reactivate(id)).body).toEqual({
      subscriptionId: id,
      invoiceId: null,
      status: 'succeeded',
      object: 'subscription_reactivation',
      livemode: false,
    });
    expect(await since(before)).toEqual([
      'subscription.reactivated',
      'customer.state_changed:subscription_activated',
    ]);
  });

  it('keeps the invoice of a declined reactivation and returns a recovery link, once per idempotency key (SUB-32)', async () => {
    const plan = await createPricedPlan(shop);
    const { id, token } = await subscribeTo(shop, (await createCustomer(shop)).id, plan.id);
    await pay(shop, token, cards.declinesLater);
    await cancel(id);
    const before = await emitted();
    const headers = { 'idempotency-key': `declined ${id}` };
    const ask = () => shop.rest<Rejected>('POST', `/subscriptions/${id}/reactivate`, {}, { headers });
    const first = await ask();
    expect(first).toMatchObject({
      status: 402,
      body: { error: { code: 'charge_failed', details: { declineCode: 'card_declined' } } },
    });
    expect(first.body.error.details?.recoveryUrl).toMatch(/\/recover\/[\w.-]+$/);
    expect((await ask()).body).toEqual(first.body);
    expect(await since(before)).toEqual(['invoice.created']);
    expect(await read(id)).toMatchObject({ status: 'canceled' });
    expect(await invoices(id)).toEqual(['outstanding 4900', 'paid 4900']);
    await expectLedgerBalanced(t);
  });

  it("keeps the invoice and returns a recovery link if there's no stored payment method", async () => {
    const { id } = await subscribeTo(
      shop,
      (await createCustomer(shop)).id,
      (await createPricedPlan(shop)).id,
    );
    const { data } = (await shop.rest<{ data: { id: string }[] }>('GET', `/invoices?subscriptionId=${id}`))
      .body;
    await shop.rest('PATCH', `/invoices/${data[0]?.id}/status`, { status: 'paid' });
    await cancel(id);
    const { status, body } = await reactivate(id);
    expect({ status, code: body.error.code }).toEqual({ status: 409, code: 'no_payment_method' });
    expect(body.error.details?.recoveryUrl).toContain('/recover/');
    expect(await invoices(id)).toEqual(['outstanding 4900', 'paid 4900']);
  });

  it('takes effect when the invoice is manually marked as paid (BIL-26)', async () => {
    const dateOf = (date: Date): string => date.toISOString().slice(0, 10);
    const before = new Date();
    const { id, token } = await createSubscription(shop);
    await pay(shop, token, cards.declinesLater);
    await cancel(id);
    expect((await reactivate(id)).body.error.code).toBe('charge_failed');
    const { data } = (await shop.rest<{ data: { id: string }[] }>('GET', `/invoices?subscriptionId=${id}`))
      .body;
    expect(
      (await shop.rest('PATCH', `/invoices/${data[0]?.id}/status`, { status: 'paid' })).body,
    ).toMatchObject({ status: 'paid' });
    const { body } = await shop.rest<{ status: string; currentPeriod: { start: string } }>(
      'GET',
      `/subscriptions/${id}`,
    );
    expect(body.status).toBe('active');
    // The date may have changed during the test.
    expect([before, new Date()].map(dateOf)).toContain(body.currentPeriod.start.slice(0, 10));
    expect(await invoices(id)).toEqual(['paid 4900', 'paid 4900']);
  });

  it('rejects an unknown subscription and a subscription that was never active, and changes nothing (SUB-33)', async () => {
    const { id } = await subscribeTo(
      shop,
      (await createCustomer(shop)).id,
      (await createPricedPlan(shop)).id,
    );
    await cancel(id);
    const changes = await watchChanges(t.app.database.query);
    expect(await reactivate(id)).toMatchObject({
      status: 409,
      body: { error: { code: 'invalid_subscription_status' } },
    });
    expect(await reactivate('sub_😀')).toMatchObject({
      status: 404,
      body: { error: { code: 'subscription_not_found' } },
    });
    expect(await changes()).toEqual([]);
  });

  it('charges once for simultaneous requests', async () => {
    const { id } = await createActiveSubscription(shop);
    await cancel(id);
    const answers = await Promise.all([reactivate(id), reactivate(id), reactivate(id)]);
    expect(answers.map(({ body }) => body.error?.code ?? body.status).sort()).toEqual([
      'invalid_subscription_status',
      'invalid_subscription_status',
      'succeeded',
    ]);
    expect(await invoices(id)).toEqual(['paid 4900', 'paid 4900']);
  });

  it('leaves the customer with one active subscription if another subscription is created at the same time', async () => {
    for (let round = 0; round < 3; round++) {
      const { id, customerId } = await createActiveSubscription(shop);
      await cancel(id);
      const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
        name: 'Free',
        code: shop.next('free'),
        isFree: true,
      });
      const create = shop.rest<Rejected & { status: string }>('POST', '/subscriptions', {
        customerId,
        planId: plan.id,
      });
      const words = (await Promise.all([reactivate(id), create])).map(
        ({ body }) => body.error?.code ?? body.status,
      );
      expect([
        ['succeeded', 'already_has_active_subscription'],
        ['already_has_active_subscription', 'active'],
      ]).toContainEqual(words);
    }
  });

  it('retries the payment for a past-due subscription, and returns a link to the same invoice after a declined charge (SUB-30, SUB-35)', async () => {
    const { id } = await createPastDueSubscription(shop);
    const before = await invoices(id);
    expect(before).toEqual(['outstanding 4900', 'paid 4900']);
    const declined = await reactivate(id);
    expect(declined).toMatchObject({ status: 402, body: { error: { code: 'charge_failed' } } });
    const link = await shop.rest<{ url: string; token: string }>(
      'POST',
      `/subscriptions/${id}/recovery-links`,
    );
    expect(link).toMatchObject({ status: 200, body: { object: 'recovery_link', livemode: false } });
    expect(link.body.url).toBe(declined.body.error.details?.recoveryUrl);
    expect(link.body.url.endsWith(`/recover/${link.body.token}`)).toBe(true);
    expect(await invoices(id)).toEqual(before);
    await advanceDays(shop, 30);
    expect((await shop.rest<Rejected>('POST', `/subscriptions/${id}/recovery-links`)).body.error.code).toBe(
      'invalid_subscription_status',
    );
  });
});
