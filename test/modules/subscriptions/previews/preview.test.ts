import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import {
  advanceDays,
  cards,
  clockSettled,
  connectStripe,
  createActiveSubscription,
  createAddon,
  createCredit,
  createCreditPack,
  createCustomer,
  createOffer,
  createPastDueSubscription,
  createPlanGroup,
  createPrice,
  createPricedPlan,
  createSubscription,
  latestTransaction,
  off,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { emitted, issued, type PreviewAnswer, preview, sentSince } from '../../../support/previews.ts';

// Previews match later billing for every request: invoices, line items, totals, events, and state.

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  shop = await otherShop(t);
  await advanceDays(shop, 1);
});

/** Previews a request, asserts that nothing changed, executes the request, and asserts that the effects match the preview. */
async function simulated(
  command: Record<string, unknown>,
  make: () => Promise<{ status: number }>,
  status = 200,
): Promise<PreviewAnswer> {
  const before = await issued(shop);
  const { position } = await sentSince(shop, Number.MAX_SAFE_INTEGER);
  const changes = await watchChanges(t.app.database.query);
  const answer = await preview(shop, command);
  expect(await changes()).toEqual([]);
  expect((await make()).status).toBe(status);
  const after = await issued(shop);
  const changed = [...after].filter(
    ([id, invoice]) => JSON.stringify(before.get(id)) !== JSON.stringify(invoice),
  );
  expect(answer.invoices.map(emitted)).toEqual(changed.map(([, invoice]) => invoice));
  expect(answer.invoices.map(({ id }) => id)).toEqual(changed.map(([id]) => (before.has(id) ? id : null)));
  expect(answer.events).toEqual((await sentSince(shop, position)).kinds);
  return answer;
}

const fields = 'id status currentPeriod { start end } nextBillingDate cancelAtPeriodEnd trialEndsAt endDate';

/** Returns the current subscription in the format of a preview. */
async function actual(id: string): Promise<unknown> {
  const query = `query ($id: ID!) { subscription(id: $id) { ${fields} } }`;
  return (await t.graphql<{ subscription: unknown }>(query, { id }, { key: shop.key })).subscription;
}

describe('the preview of a new subscription', () => {
  test('shows the first invoice of a paid plan with its line items, and no IDs of new objects (SUB-9)', async () => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const body = { customerId: customer.id, planId: plan.id };
    const answer = await simulated({ create: body }, () => shop.rest('POST', '/subscriptions', body), 201);
    expect(answer).toMatchObject({
      rejection: null,
      invoices: [
        {
          id: null,
          status: 'outstanding',
          total: 4_900,
          lineItems: [{ lineType: 'plan_base', amount: 4_900 }],
          payments: [],
        },
      ],
      totals: [{ currency: 'usd', invoiced: 4_900, tax: 0, collected: 0, unpaid: 4_900 }],
      subscription: { id: null, status: 'pending_payment' },
    });
  });

  test('shows a trial without an invoice, and the discount of an offer', async () => {
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const trial = await preview(shop, {
      create: { customerId: customer.id, planId: plan.id, customTrialDays: 14 },
    });
    expect(trial).toMatchObject({
      rejection: null,
      invoices: [],
      totals: [],
      subscription: { status: 'pending_payment' },
    });
    const { id: offerId } = await createOffer(shop, [off.percent(2_500)]);
    const body = { customerId: customer.id, planId: plan.id, offerId };
    const answer = await simulated({ create: body }, () => shop.rest('POST', '/subscriptions', body), 201);
    // 25% of 49.00 is 12.25.
    expect(answer.invoices).toMatchObject([{ subtotal: 4_900, discountAmount: 1_225, total: 3_675 }]);
  });

  test('uses the payment connection of the request (PAY-13)', async () => {
    const { id: provider } = await connectStripe(shop, { isDefault: false });
    const [plan, customer] = [await createPricedPlan(shop), await createCustomer(shop)];
    const body = { customerId: customer.id, planId: plan.id, provider };
    const answer = await simulated({ create: body }, () => shop.rest('POST', '/subscriptions', body), 201);
    expect(answer).toMatchObject({ rejection: null, invoices: [{ total: 4_900 }] });
  });

  test('shows the open checkout for the same parameters, and the checkout that is replaced if the parameters differ (SUB-12)', async () => {
    const { id, customerId, planId } = await createSubscription(shop);
    const again = await preview(shop, { create: { customerId, planId } });
    expect(again).toMatchObject({
      rejection: null,
      invoices: [],
      events: [],
      subscription: { id, status: 'pending_payment' },
    });
    const body = { customerId, planId, skipTrial: true };
    const answer = await simulated({ create: body }, () => shop.rest('POST', '/subscriptions', body), 201);
    expect(answer.invoices.map(({ status }) => status)).toEqual(['void', 'outstanding']);
    expect(answer.totals).toEqual([
      { currency: 'usd', invoiced: 4_900, tax: 0, collected: 0, unpaid: 4_900 },
    ]);
  });

  test('returns the error that would reject the request, and fails for invalid input and unknown objects', async () => {
    const { customerId, planId } = await createActiveSubscription(shop);
    const answer = await preview(shop, { create: { customerId, planId } });
    expect(answer).toMatchObject({
      rejection: { code: 'already_has_active_subscription' },
      invoices: [],
      events: [],
      subscription: null,
    });
    const query =
      'query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) { at } }';
    const code = async (command: object) => {
      const { errors } = await t.graphqlFailure(query, { command }, { key: shop.key });
      return [errors[0]?.extensions['code'], errors[0]?.extensions['param']];
    };
    expect(await code({ create: { customerId: 'nobody', planId } })).toEqual([
      'customer_not_found',
      'create.customerId',
    ]);
    expect(await code({ create: { customerId } })).toEqual(['validation_error', 'create.planId']);
    expect(await code({ cancel: { id: 'sub_none' } })).toEqual(['subscription_not_found', 'id']);
    expect((await code({}))[0]).toBe('validation_error');
    expect((await code({ uncancel: { id: 'sub_a' }, offerRemove: { id: 'sub_b' } }))[0]).toBe(
      'validation_error',
    );
  });
});

describe('the preview of a cancellation', () => {
  test('shows a scheduled cancellation, an immediate cancellation, and an undone cancellation (SUB-23, SUB-24, SUB-29)', async () => {
    const { id } = await createActiveSubscription(shop);
    const scheduled = await simulated({ cancel: { id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/cancel`, {}),
    );
    expect(scheduled.subscription).toEqual(await actual(id));
    expect(scheduled.subscription).toMatchObject({
      status: 'active',
      cancelAtPeriodEnd: true,
      nextBillingDate: null,
    });
    const withdrawn = await simulated({ uncancel: { id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/uncancel`, {}),
    );
    expect(withdrawn.subscription).toEqual(await actual(id));
    const ended = await simulated({ cancel: { id, immediate: true } }, () =>
      shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true }),
    );
    expect(ended.subscription).toMatchObject({ status: 'canceled' });
    const { rejection } = await preview(shop, { cancel: { id } });
    expect(rejection).toEqual({ code: 'subscription_already_canceled', param: null });
  });

  test('shows the invoice that is voided when an open checkout is canceled', async () => {
    const { id } = await createSubscription(shop);
    const answer = await simulated({ cancel: { id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/cancel`, {}),
    );
    expect(answer.invoices).toMatchObject([{ status: 'void', total: 4_900 }]);
    expect(answer.totals).toEqual([{ currency: 'usd', invoiced: 0, tax: 0, collected: 0, unpaid: 0 }]);
  });

  test('shows the charge for a reactivation, and a declined charge for an outstanding invoice (SUB-30, SUB-31)', async () => {
    const { id } = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    const answer = await simulated({ reactivate: { id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/reactivate`, {}),
    );
    expect(answer).toMatchObject({
      rejection: null,
      invoices: [
        {
          status: 'paid',
          invoiceType: 'reactivation',
          total: 4_900,
          payments: [{ status: 'succeeded', amount: 4_900 }],
        },
      ],
      totals: [{ currency: 'usd', invoiced: 4_900, tax: 0, collected: 4_900, unpaid: 0 }],
      subscription: (await actual(id)) as object,
    });
    const owing = await createPastDueSubscription(shop);
    const declined = await simulated(
      { reactivate: { id: owing.id } },
      () => shop.rest('POST', `/subscriptions/${owing.id}/reactivate`, {}),
      402,
    );
    expect(declined).toMatchObject({
      rejection: { code: 'charge_failed' },
      invoices: [],
      subscription: { status: 'past_due' },
    });
  });
});

describe('the preview of a plan change', () => {
  test('shows an immediate change with its charge, a scheduled change, and the cancellation of a scheduled change (SUB-38, SUB-42, SUB-48)', async () => {
    const { planIds } = await createPlanGroup(shop, 2);
    const [low = '', high = ''] = planIds;
    await createPrice(shop, low, { price: 3_000 });
    await createPrice(shop, high, { price: 9_000 });
    const { id, token } = await subscribeTo(shop, (await createCustomer(shop)).id, low);
    await pay(shop, token);
    await advanceDays(shop, 10);
    const change = (newPlanId: string) =>
      simulated({ changePlan: { id, newPlanId } }, () =>
        shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId }),
      );
    const up = await change(high);
    expect(up).toMatchObject({ rejection: null, invoices: [{ status: 'paid', invoiceType: 'plan_change' }] });
    expect(up.subscription).toEqual(await actual(id));
    const down = await change(low);
    expect(down).toMatchObject({ rejection: null, invoices: [], subscription: { status: 'active' } });
    // The renewal charges for the scheduled change.
    expect(await preview(shop, { renewal: { id } })).toMatchObject({ invoices: [{ total: 3_000 }] });
    const revoke = 'mutation ($id: ID!) { subscriptionScheduledChangeRevoke(input: { id: $id }) { id } }';
    await simulated({ scheduledChangeRevoke: { id } }, async () => {
      await t.graphql(revoke, { id }, { key: shop.key });
      return { status: 200 };
    });
    expect(await preview(shop, { renewal: { id } })).toMatchObject({ invoices: [{ total: 9_000 }] });
  });
});

describe('the preview of an offer', () => {
  test('shows the checkout with and without the offer (OFR-21, OFR-24)', async () => {
    const { id } = await createSubscription(shop);
    const { id: offerId } = await createOffer(shop, [off.percent(2_500)]);
    const on = await simulated({ offerApply: { id, offerId } }, () =>
      shop.rest('PUT', `/subscriptions/${id}/offer`, { offerId }),
    );
    expect(on.invoices.map(({ status, total }) => [status, total])).toContainEqual(['outstanding', 3_675]);
    const without = await simulated({ offerRemove: { id } }, () =>
      shop.rest('DELETE', `/subscriptions/${id}/offer`),
    );
    expect(without.invoices.map(({ status, total }) => [status, total])).toContainEqual([
      'outstanding',
      4_900,
    ]);
  });
});

describe('the preview of a purchase', () => {
  test('shows the charges for credit packs and top-ups, and returns a declined charge as the rejection (CON-20, CON-25)', async () => {
    const [consumer, pack] = [await createCreditsConsumer(shop), await createCreditPack(shop)];
    const { subscriptionId: id } = consumer;
    const bought = await simulated({ creditsPurchase: { subscriptionId: id, creditPackId: pack.id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/credits`, { creditPackId: pack.id }),
    );
    expect(bought.invoices).toMatchObject([{ status: 'paid', invoiceType: 'credit_purchase', total: 2_500 }]);
    const { subscriptionId: topped } = await createBalanceConsumer(shop);
    const more = await simulated({ balanceTopUp: { subscriptionId: topped, amount: 1_500 } }, () =>
      shop.rest('POST', `/subscriptions/${topped}/balance/topup`, { amount: 1_500 }),
    );
    expect(more.invoices).toMatchObject([{ status: 'paid', total: 1_500 }]);
    const { subscriptionId: poor } = await createBalanceConsumer(shop, 420_000, true, cards.declinesLater);
    const declined = await simulated(
      { balanceTopUp: { subscriptionId: poor, amount: 1_500 } },
      () => shop.rest('POST', `/subscriptions/${poor}/balance/topup`, { amount: 1_500 }),
      402,
    );
    expect(declined).toMatchObject({
      rejection: { code: 'charge_failed' },
      invoices: [
        { status: 'void', total: 1_500, payments: [{ status: 'failed', declineCode: 'card_declined' }] },
      ],
    });
  });

  test('shows an add-on prorated by day, and that removing it creates no invoice (SUB-71, SUB-73)', async () => {
    const { id } = await createActiveSubscription(shop);
    await advanceDays(shop, 10);
    const addon = await createAddon(shop);
    const on = await simulated({ addonActivate: { subscriptionId: id, addonId: addon.id } }, () =>
      shop.rest('POST', `/subscriptions/${id}/addons`, { addonId: addon.id }),
    );
    expect(on.invoices).toMatchObject([{ status: 'paid', invoiceType: 'addon_activation' }]);
    expect(on.invoices[0]?.total).toBeLessThan(900);
    const ended = await simulated({ addonDeactivate: { subscriptionId: id, addonId: addon.id } }, () =>
      shop.rest('DELETE', `/subscriptions/${id}/addons/${addon.id}`),
    );
    expect(ended).toMatchObject({ rejection: null, invoices: [] });
  });
});

describe('the preview of a refund', () => {
  test("shows a subscription's cancellation for a full refund, no change for a partial refund, and rejections", async () => {
    const { id } = await createActiveSubscription(shop);
    const paid = await latestTransaction(shop, id);
    const part = await preview(shop, { transactionRefund: { id: paid, amount: 4_899 } });
    expect(part).toMatchObject({ rejection: null, invoices: [], subscription: { id, status: 'active' } });
    const more = await preview(shop, { transactionRefund: { id: paid, amount: 4_901 } });
    expect(more.rejection).toMatchObject({ code: 'validation_error', param: 'amount' });
    const all = await simulated({ transactionRefund: { id: paid } }, () =>
      shop.rest('POST', `/transactions/${paid}/refund`),
    );
    expect(all).toMatchObject({ rejection: null, invoices: [], subscription: { id, status: 'canceled' } });
    expect(all.events).toEqual([
      'payment_refunded',
      'credit_note_created',
      'subscription_canceled',
      'customer_state_changed',
    ]);
    expect(all.subscription).toEqual(await actual(id));
    const again = await preview(shop, { transactionRefund: { id: paid } });
    expect(again.rejection).toMatchObject({ code: 'validation_error', param: 'id' });
  });
});

describe('the preview of a renewal', () => {
  test.each([
    ['paid', cards.pays, 'active'],
    ['declined', cards.declinesLater, 'past_due'],
  ])(
    'shows the plan, current overage, and customer credit at the end of the period if the charge is %s (BIL-6)',
    async (_how, card, status) => {
      const terms = { includedAmount: 100, overage: { enabled: true, unitPrice: 10_000 } };
      const consumer = await createConsumer(shop, { terms, card });
      const { subscriptionId: id, customerId } = consumer;
      await shop.rest('POST', '/usage/events', { ...of(consumer), value: 103 });
      await createCredit(shop, customerId);
      const answer = await preview(shop, { renewal: { id } });
      // 49.00 plus 3 units for 1.00 each, minus a credit of 5.00.
      expect(answer.invoices).toMatchObject([{ subtotal: 5_200, creditApplied: 500, total: 4_700 }]);
      const before = await issued(shop);
      await shop.rest('POST', '/test-clock', { frozenTime: answer.at });
      await clockSettled(shop);
      const made = [...(await issued(shop))].filter(([key]) => !before.has(key));
      expect(answer.invoices.map(emitted)).toEqual(made.map(([, invoice]) => invoice));
      expect(answer.subscription).toEqual(await actual(id));
      expect(answer.subscription).toMatchObject({ status });
    },
  );

  test('simulates earlier deadlines first, such as the end of a trial or a cancellation at the end of the period', async () => {
    const trial = await createSubscription(shop, { trialDays: 7 });
    await pay(shop, trial.token);
    expect(await preview(shop, { renewal: { id: trial.id } })).toMatchObject({
      invoices: [{ status: 'paid', total: 4_900 }],
      subscription: { status: 'active' },
    });
    const { id } = await createActiveSubscription(shop);
    await shop.rest('POST', `/subscriptions/${id}/cancel`, {});
    expect(await preview(shop, { renewal: { id } })).toMatchObject({
      invoices: [],
      subscription: { status: 'canceled' },
    });
    await shop.rest('POST', `/subscriptions/${id}/cancel`, { immediate: true });
    const query =
      'query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) { at } }';
    const { errors } = await t.graphqlFailure(query, { command: { renewal: { id } } }, { key: shop.key });
    expect(errors[0]?.extensions['code']).toBe('invalid_subscription_status');
  });
});

describe('the next charge in a preview', () => {
  type Charge = { readonly amount: number; readonly currency: string; readonly date: string } | null;
  type Next = { readonly nextCharge: Charge; readonly nextChargeWithout: Charge };

  const next = async (command: object): Promise<Next> =>
    (
      await t.graphql<{ subscriptionPreview: Next }>(
        `query ($command: SubscriptionPreviewInput!) { subscriptionPreview(command: $command) {
           nextCharge { ...Shown } nextChargeWithout { ...Shown } } }
         fragment Shown on UpcomingCharge { amount currency date }`,
        { command },
        { key: shop.key },
      )
    ).subscriptionPreview;

  test('equals the renewal charge, with and without the offer', async () => {
    const { id } = await createActiveSubscription(shop, { price: 9_900 });
    const offer = await createOffer(shop, [off.percent(2_500, 2)]);
    const body = { offerId: offer.id };
    // 9,900 − round(9,900 × 25%) = 7,425
    const answer = await next({ offerApply: { id, ...body } });
    expect(answer).toMatchObject({
      nextCharge: { amount: 7_425, currency: 'usd' },
      nextChargeWithout: { amount: 9_900, currency: 'usd', date: answer.nextCharge?.date },
    });
    expect((await shop.rest('PUT', `/subscriptions/${id}/offer`, body)).status).toBe(200);
    await advanceDays(shop, 31);
    const renewed = [...(await issued(shop)).values()].map(({ total }) => total);
    expect(renewed).toEqual([9_900, 7_425]);
  });

  test('is null after a cancellation, and unchanged if the request would be rejected', async () => {
    const { id } = await createActiveSubscription(shop);
    expect(await next({ cancel: { id } })).toMatchObject({
      nextCharge: null,
      nextChargeWithout: { amount: 4_900 },
    });
    const trial = await createOffer(shop, [off.trial(7)]);
    expect(await next({ offerApply: { id, offerId: trial.id } })).toMatchObject({
      nextCharge: { amount: 4_900 },
      nextChargeWithout: { amount: 4_900 },
    });
  });

  test('is null if a checkout is open', async () => {
    const { id } = await createSubscription(shop);
    const offer = await createOffer(shop);
    expect(await next({ offerApply: { id, offerId: offer.id } })).toEqual({
      nextCharge: null,
      nextChargeWithout: null,
    });
  });

  test('reflects a plan change, an add-on, and a renewal', async () => {
    const group = await createPlanGroup(shop, 2);
    const [low = '', high = ''] = group.planIds;
    await createPrice(shop, low, { price: 3_000 });
    await createPrice(shop, high, { price: 8_000 });
    const customer = await createCustomer(shop);
    const { id, token } = await subscribeTo(shop, customer.id, low);
    await pay(shop, token);
    const addon = await createAddon(shop);
    // 8,000 − 3,000 is charged immediately for the new period, then 8,000 per month.
    expect(await next({ changePlan: { id, newPlanId: high } })).toMatchObject({
      nextCharge: { amount: 8_000 },
      nextChargeWithout: { amount: 3_000 },
    });
    expect(await next({ addonActivate: { subscriptionId: id, addonId: addon.id } })).toMatchObject({
      nextCharge: { amount: 3_900 },
      nextChargeWithout: { amount: 3_000 },
    });
    expect(await next({ renewal: { id } })).toMatchObject({
      nextCharge: { amount: 3_000 },
      nextChargeWithout: null,
    });
  });
});
