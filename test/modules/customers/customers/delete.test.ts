import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { watchChanges } from '../../../support/changes.ts';
import {
  cards,
  createActiveSubscription,
  createCredit,
  createCustomer,
  createPastDueSubscription,
  createPayer,
  createPayment,
  createPricedPlan,
  createSubscription,
  firstShop,
  latestTransaction,
  openPortal,
  payment,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { memberOf } from '../../../support/people.ts';
import { made, watchEvents } from './calls.ts';

// Customer deletion in the dashboard: its effects and the retained records (PLT-24).

type Caller = { readonly key: null; readonly headers: Record<string, string> };

let t: TestApp;
let shop: Shop;
let member: Caller;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  const { headers } = await memberOf(t, t.organizationId, 'member');
  member = { key: null, headers: { ...headers, 'x-environment': 'sandbox' } };
});
afterAll(() => t.close());

const text =
  'mutation ($input: CustomerDeleteInput!) { customerDelete(input: $input) { deletedId deleted object } }';
const remove = (id: string) => t.graphql(text, { input: { id } }, member);
const done = (id: string) => ({ customerDelete: { deletedId: id, deleted: true, object: 'customer' } });

/** Returns the error code of a rejected operation, and asserts that nothing changed. */
const code = async (query: string, variables: object, caller: object = {}): Promise<unknown> => {
  const changes = await watchChanges(t.app.database.query);
  const { errors } = await t.graphqlFailure(query, { ...variables }, caller);
  expect(await changes()).toEqual([]);
  return errors[0]?.extensions['code'];
};

/** Returns the error code of a REST request. */
const restCode = async (method: string, path: string, body?: unknown): Promise<unknown> =>
  (await shop.rest<{ error?: { code: string } }>(method, path, body)).body.error?.code;

const customerOf = async (invoiceId: string) =>
  (
    await t.graphql<{ invoice: { status: string; customer: Record<string, unknown> } }>(
      'query ($id: ID!) { invoice(id: $id) { status customer { id email externalId deletedAt } } }',
      { id: invoiceId },
    )
  ).invoice;

describe('customerDelete', () => {
  test('cancels subscriptions, charges nothing, and keeps the invoices', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    const { body: before } = await shop.rest<{ externalId: string; email: string }>(
      'GET',
      `/customers/${customerId}`,
    );
    const sent = await watchEvents(shop);
    expect(await remove(before.externalId)).toEqual(done(customerId));
    const events = await sent();
    expect(events.map(({ event }) => event)).toEqual([
      'subscription.canceled',
      'customer.state_changed',
      'payment_method.detached',
      'customer.deleted',
    ]);
    const { externalId, email } = before;
    expect(events.at(-1)?.data).toMatchObject({ id: customerId, externalId, email });
    expect(events[0]?.data).toMatchObject({ cancelReason: 'customer_deleted', subscriptionId: id });
    const { body } = await shop.rest<{ data: { id: string; status: string }[] }>(
      'GET',
      `/invoices?customerId=${customerId}`,
    );
    expect(body.data.map(({ status }) => status)).toEqual(['paid']);
    expect(await customerOf(body.data[0]?.id ?? '')).toEqual({
      status: 'paid',
      customer: { id: customerId, email, externalId: null, deletedAt: expect.any(String) },
    });
  });

  test('deletes the customer permanently, so no identifier finds it and no operation accepts it', async () => {
    const customer = await made(shop, { fullName: 'Perpetua Vanishing' });
    const plan = await createPricedPlan(shop);
    await remove(customer.id);
    for (const id of [customer.id, customer.externalId]) {
      expect(await code('query ($id: ID!) { customer(id: $id) { id } }', { id })).toBe('customer_not_found');
      expect(await restCode('PATCH', `/customers/${id}`, { fullName: 'Back' })).toBe('customer_not_found');
      expect(await restCode('POST', '/subscriptions', { customerId: id, planId: plan.id })).toBe(
        'customer_not_found',
      );
      expect(await restCode('POST', '/portal/sessions', { customerId: id })).toBe('customer_not_found');
      expect(await code(text, { input: { id } }, member)).toBe('customer_not_found');
    }
    const found = await t.graphql(
      '{ search(text: "Vanishing") { __typename } customers(search: "Vanishing") { edges { node { id } } } }',
    );
    expect(found).toEqual({ search: [], customers: { edges: [] } });
    expect(
      (await t.graphql('query ($id: ID!) { node(id: $id) { id } }', { id: customer.id }))['node'],
    ).toBeNull();
    // A new customer with the same external ID is a separate customer.
    const { status, body } = await shop.rest<{ id: string }>('POST', '/customers', {
      externalId: customer.externalId,
      email: 'next@shop.test',
    });
    expect(status).toBe(201);
    expect(body.id).not.toBe(customer.id);
  });

  test('closes the portal and rejects usage', async () => {
    const { customerId } = await createActiveSubscription(shop);
    const token = await openPortal(shop, customerId);
    const portal = 'query ($token: String) { portal(token: $token) { customer { email } } }';
    expect(await t.graphql(portal, { token }, { key: null })).toMatchObject({ portal: { customer: {} } });
    const usage = { customerId, featureCode: 'none', value: 1 };
    expect(await restCode('POST', '/usage/events', usage)).toBe('feature_not_found');
    await remove(customerId);
    const { errors } = await t.graphqlFailure(portal, { token }, { key: null });
    expect(errors[0]?.extensions['code']).toBe('unauthorized');
    expect(await restCode('POST', '/usage/events', usage)).toBe('customer_not_found');
  });

  test('cancels payment links and voids the outstanding invoice of a past-due subscription', async () => {
    const { id, customerId } = await createPastDueSubscription(shop);
    const link = await createPayment(shop, { customerId });
    const sent = await watchEvents(shop);
    await remove(customerId);
    expect((await sent()).map(({ event }) => event)).toEqual([
      'invoice.voided',
      'credit_note.created',
      'subscription.canceled',
      'customer.state_changed',
      'payment_link.canceled',
      'payment_method.detached',
      'customer.deleted',
    ]);
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({ status: 'canceled' });
    expect((await shop.rest('GET', `/payments/${link.id}`)).body).toMatchObject({ status: 'canceled' });
  });

  test('cancels the authentication of a payment link', async () => {
    const { id: customerId } = await createCustomer(shop);
    const link = await createPayment(shop, { customerId });
    const pay = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
    const input = payment(link.token, cards.authenticates);
    expect(await t.graphql(pay, { input }, { key: null })).toEqual({
      paymentLinkPay: { status: 'requires_action' },
    });
    expect(await remove(customerId)).toEqual(done(customerId));
    expect((await shop.rest('GET', `/payments/${link.id}`)).body).toMatchObject({ status: 'canceled' });
  });

  test('keeps payments refundable, and keeps customer credits', async () => {
    const { id, customerId } = await createActiveSubscription(shop);
    await createCredit(shop, customerId);
    const transaction = await latestTransaction(shop, id);
    await remove(customerId);
    const { status } = await shop.rest('POST', `/transactions/${transaction}/refund`, {});
    expect(status).toBe(200);
    expect(await t.graphql('{ ledgerVerify { ok mismatches { account } } }')).toEqual({
      ledgerVerify: { ok: true, mismatches: [] },
    });
  });

  test('can be called only by signed-in members in the environment', async () => {
    const { id } = await createCustomer(shop);
    expect(await code(text, { input: { id } })).toBe('unauthorized');
    const live = { ...member, headers: { ...member.headers, 'x-environment': 'live' } };
    expect(await code(text, { input: { id } }, live)).toBe('customer_not_found');
    expect((await shop.rest('GET', `/customers/${id}`)).status).toBe(200);
  });

  test('cancels a subscription with an unpaid checkout', async () => {
    const { id, customerId } = await createSubscription(shop);
    await remove(customerId);
    expect((await shop.rest('GET', `/subscriptions/${id}`)).body).toMatchObject({ status: 'canceled' });
  });
});

describe('customerPaymentMethodRemove', () => {
  const removeMethod =
    'mutation ($input: CustomerPaymentMethodRemoveInput!) { customerPaymentMethodRemove(input: $input) { id paymentMethods { id } } }';
  const methodsOf = async (id: string): Promise<string[]> =>
    (
      await t.graphql<{ customer: { paymentMethods: { id: string }[] } }>(
        'query ($id: ID!) { customer(id: $id) { paymentMethods { id } } }',
        { id },
      )
    ).customer.paymentMethods.map((method) => method.id);

  test('removes a card that no active subscription uses, and no longer finds the card', async () => {
    const { customerId, paymentId } = await createPayer(shop);
    const [paymentMethodId = ''] = await methodsOf(customerId);
    const sent = await watchEvents(shop);
    const input = { customerId, paymentMethodId };
    expect(await t.graphql(removeMethod, { input })).toEqual({
      customerPaymentMethodRemove: { id: customerId, paymentMethods: [] },
    });
    expect((await sent()).map(({ event }) => event)).toEqual(['payment_method.detached']);
    expect(await code(removeMethod, { input })).toBe('payment_method_not_found');
    // Past payments made with the card don't change.
    expect((await shop.rest('GET', `/payments/${paymentId}`)).body).toMatchObject({ status: 'succeeded' });
  });

  test("rejects an active subscription's card and other customers' cards", async () => {
    const [own, other] = [await createActiveSubscription(shop), await createPayer(shop)];
    const [paymentMethodId = ''] = await methodsOf(own.customerId);
    expect(await code(removeMethod, { input: { customerId: own.customerId, paymentMethodId } })).toBe(
      'payment_method_in_use',
    );
    expect(await code(removeMethod, { input: { customerId: other.customerId, paymentMethodId } })).toBe(
      'payment_method_not_found',
    );
    expect(await code(removeMethod, { input: { customerId: 'cus_none', paymentMethodId } })).toBe(
      'customer_not_found',
    );
    await shop.rest('POST', `/subscriptions/${own.id}/cancel`, { immediate: true });
    await t.graphql(removeMethod, { input: { customerId: own.customerId, paymentMethodId } });
    expect(await methodsOf(own.customerId)).toEqual([]);
  });
});
