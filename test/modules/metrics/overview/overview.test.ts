import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advanceDays,
  createActiveSubscription,
  createCustomer,
  createDelivery,
  createDispute,
  createPastDueSubscription,
  createSubscription,
  otherShop,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

const ask = <T>(shop: Shop, query: string, variables: Record<string, unknown> = {}): Promise<T> =>
  t.graphql<T>(query, variables, { key: shop.key });

type Item = {
  readonly kind: string;
  readonly count: { readonly value: number; readonly isExact: boolean };
  readonly amounts: unknown[];
  readonly oldestAt: string;
  readonly sample: { readonly id: string; readonly __typename: string }[];
};
const attentionQuery =
  '{ attention { kind count { value isExact } amounts { currency amount } oldestAt sample(first: 2) { __typename id } } }';
const attentionOf = async (shop: Shop): Promise<Item[]> =>
  (await ask<{ attention: Item[] }>(shop, attentionQuery)).attention;

describe('the attention list', () => {
  test('is empty if nothing needs attention', async () => {
    const shop = await otherShop(t);
    await createActiveSubscription(shop);
    expect(await attentionOf(shop)).toEqual([]);
  });

  test('contains each type once with its count, totals, and first objects, from most to least urgent', async () => {
    const shop = await otherShop(t);
    await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
    const pastDue = await createPastDueSubscription(shop);
    const trial = await createSubscription(shop, { trialDays: 3 });
    await pay(shop, trial.token);
    const left = await createSubscription(shop);
    const dispute = await createDispute(shop);
    const { id: deliveryId } = await createDelivery(shop);
    await t.app.database.query(
      `UPDATE "WebhookDelivery" SET "createdAt" = now() WHERE "environmentId" = $1 AND id = $2`,
      [shop.environmentId, deliveryId],
    );
    // On March 3, the renewal due on February 28 is unpaid, and a checkout created on that day is still open.
    expect((await attentionOf(shop)).map(({ kind }) => kind)).not.toContain('abandoned_checkout');
    await advanceDays(shop, 2);
    const items = await attentionOf(shop);
    const one = { value: 1, isExact: true };
    const amounts = [{ currency: 'usd', amount: 4_900 }];
    const first = (typename: string, id: string) => [{ __typename: typename, id }];
    const [invoice] = await t.app.database.query<{ id: string }>(
      `SELECT id FROM "Invoice" WHERE "environmentId" = $1 AND "subscriptionId" = $2 AND status = 'outstanding'`,
      [shop.environmentId, pastDue.id],
    );
    expect(items).toEqual([
      {
        kind: 'past_due_subscription',
        count: one,
        amounts,
        oldestAt: '2027-02-28T00:00:00.000Z',
        sample: first('Subscription', pastDue.id),
      },
      {
        kind: 'overdue_invoice',
        // The checkout's invoice isn't outstanding (BIL-30).
        count: one,
        amounts,
        oldestAt: '2027-02-28T00:00:00.000Z',
        sample: first('Invoice', invoice?.id ?? ''),
      },
      {
        kind: 'open_dispute',
        count: one,
        amounts,
        oldestAt: '2027-03-03T10:00:00.000Z',
        sample: first('Transaction', dispute.id),
      },
      {
        kind: 'failed_delivery',
        count: one,
        amounts: [],
        oldestAt: expect.any(String),
        sample: first('WebhookDelivery', deliveryId),
      },
      {
        kind: 'trial_ending',
        count: one,
        amounts: [],
        oldestAt: expect.any(String),
        sample: first('Subscription', trial.id),
      },
      {
        kind: 'abandoned_checkout',
        count: one,
        amounts,
        oldestAt: '2027-03-03T10:00:00.000Z',
        sample: first('Subscription', left.id),
      },
    ]);
    const stranger = await otherShop(t);
    expect(await attentionOf(stranger)).toEqual([]);
    // The same error is returned for each attention item.
    const { errors } = await t.graphqlFailure(
      '{ attention { sample(first: 26) { id } } }',
      {},
      { key: shop.key },
    );
    expect(new Set(errors.map(({ extensions }) => extensions['code']))).toEqual(
      new Set(['validation_error']),
    );
  });
});

type Hit = { readonly kind: string; readonly matched: string; readonly node: { readonly id: string } | null };
const searchQuery =
  'query ($text: String!, $kinds: [SearchKind!], $limit: Int) { search(text: $text, kinds: $kinds, limit: $limit) { kind matched node { id } } }';
const hits = async (shop: Shop, variables: Record<string, unknown>): Promise<string[]> =>
  (await ask<{ search: Hit[] }>(shop, searchQuery, variables)).search.map(
    ({ kind, matched, node }) => `${kind} ${matched} ${node?.id}`,
  );

describe('the global search', () => {
  test('finds objects by ID, number, email address, name, and code, with exact matches first', async () => {
    const shop = await otherShop(t);
    const make = async (fullName: string, email: string, externalId: string): Promise<string> => {
      const { body } = await shop.rest<{ id: string }>('POST', '/customers', { fullName, email, externalId });
      return body.id;
    };
    const inside = await make('Bernada Quist', 'b@shop.test', 'c-1');
    const beginning = await make('Zoe', 'Ada@shop.test', 'c-2');
    const whole = await make('Xenia', 'x@shop.test', 'ADA');
    const { body: plan } = await shop.rest<{ id: string }>('POST', '/plans', {
      name: 'Adagio',
      code: 'slow_ada',
    });
    const { body: feature } = await shop.rest<{ id: string }>('POST', '/features', {
      name: 'Canada',
      code: 'north',
      type: 'boolean',
    });
    expect(await hits(shop, { text: 'aDa' })).toEqual([
      `customer external_id ${whole}`,
      `customer email ${beginning}`,
      `plan name ${plan.id}`,
      `customer name ${inside}`,
      `feature name ${feature.id}`,
    ]);
    expect(await hits(shop, { text: 'ada', kinds: ['plan', 'event'] })).toEqual([`plan name ${plan.id}`]);
    expect(await hits(shop, { text: 'slow_a' })).toEqual([`plan code ${plan.id}`]);
    expect(await hits(shop, { text: 'ada', limit: 2 })).toHaveLength(2);
    expect(await hits(shop, { text: '%%%' })).toEqual([]);
    const subscription = await createActiveSubscription(shop);
    const [invoice] = await t.app.database.query<{ id: string }>(
      `SELECT id FROM "Invoice" WHERE "environmentId" = $1`,
      [shop.environmentId],
    );
    expect(await hits(shop, { text: 'inv-0001' })).toEqual([`invoice number ${invoice?.id}`]);
    expect(await hits(shop, { text: subscription.id })).toEqual([`subscription id ${subscription.id}`]);
    expect(await hits(shop, { text: subscription.id, kinds: ['customer'] })).toEqual([]);
    const stranger = await otherShop(t);
    expect(await hits(stranger, { text: 'ada' })).toEqual([]);
    expect(await hits(stranger, { text: subscription.id })).toEqual(['subscription id undefined']);
  });

  test('requires at least two characters', async () => {
    expect(await rejection(t, searchQuery, { text: 'a' })).toMatchObject({
      code: 'validation_error',
      param: 'text',
    });
    const { externalId } = await createCustomer(await otherShop(t));
    expect(externalId).toBe('customer1');
  });
});
