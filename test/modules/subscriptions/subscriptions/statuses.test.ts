import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { SubscriptionStatus } from '../../../../src/domain/rows/enums.ts';
import { watchChanges } from '../../../support/changes.ts';
import {
  activateAddon,
  advanceDays,
  attachFeature,
  cards,
  createAddon,
  createCreditPack,
  createCustomer,
  createFeature,
  createOffer,
  createPlan,
  createPlanGroup,
  createPrice,
  firstShop,
  type Made,
  type MadeFeature,
  pay,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

// Result of every operation in every subscription status through the public API, as in the table for SUB-21. Rejected operations change
// nothing, and allowed operations succeed. test/domain/subscription/transitions.test.ts tests transitions between statuses.

const statuses = [
  'draft',
  'pending_payment',
  'trialing',
  'active',
  'past_due',
  'canceled',
] as const satisfies SubscriptionStatus[];
type Status = (typeof statuses)[number];
type Model = 'metered' | 'credits' | 'balance';

/** Subscription with its own customer. */
type Subscriber = { readonly id: string; readonly customerId: string; readonly token: string | null };
type Call = readonly [method: string, path: string, body?: unknown];

/** Catalog shared by all tests. */
type Goods = {
  readonly plans: Readonly<Record<Model, string>>;
  readonly trialPlans: Readonly<Record<Model, string>>;
  readonly usage: MadeFeature;
  readonly seats: MadeFeature;
  readonly quota: MadeFeature;
  readonly addon: Made;
  readonly pack: Made;
  readonly offer: Made;
  /** Highest-ranked plan in the group that contains all plans. */
  readonly upper: Made;
};

type Operation = {
  readonly model?: Model;
  /** Prepares the state that an allowed operation needs. Isn't called before rejected operations. */
  readonly provided?: (subscriber: Subscriber, status: Status) => Promise<unknown>;
  readonly call: (subscriber: Subscriber) => Call;
  /** Error code per status, in the order of `statuses`. `null` if the operation is allowed. */
  readonly codes: readonly (string | null)[];
};

let t: TestApp;
let shop: Shop;
let goods: Goods;

/** Returns the error code for each status, or `null` if the operation is allowed. */
const allowedIn = (code: string, ...allowed: readonly Status[]) =>
  statuses.map((status) => (allowed.includes(status) ? null : code));
const inForce = ['trialing', 'active', 'past_due'] as const;

const subscription =
  (path: string, body?: unknown, method = 'POST') =>
  ({ id }: Subscriber): Call => [method, `/subscriptions/${id}${path}`, body];
const consumption =
  (method: string, path: string, feature: 'usage' | 'seats' | 'quota', body: object) =>
  ({ customerId }: Subscriber): Call => [
    method,
    path,
    { customerId, featureCode: goods[feature].code, ...body },
  ];

const operations: { readonly [name: string]: Operation } = {
  cancel: {
    call: subscription('/cancel', {}),
    codes: [null, null, null, null, null, 'subscription_already_canceled'],
  },
  uncancel: {
    provided: async ({ id }, status) => {
      if (status === 'trialing' || status === 'active')
        await ask(['POST', `/subscriptions/${id}/cancel`, {}]);
    },
    call: subscription('/uncancel'),
    codes: [
      'not_scheduled_for_cancellation',
      'not_scheduled_for_cancellation',
      null,
      null,
      'not_scheduled_for_cancellation',
      'subscription_already_canceled',
    ],
  },
  reactivate: {
    provided: ({ customerId }) => mend(customerId),
    call: subscription('/reactivate', {}),
    codes: allowedIn('invalid_subscription_status', 'past_due', 'canceled'),
  },
  'change plan': {
    call: ({ id }) => ['POST', `/subscriptions/${id}/change-plan`, { newPlanId: goods.upper.id }],
    codes: allowedIn('subscription_not_active', 'trialing', 'active'),
  },
  'preview a change': {
    call: ({ id }) => ['POST', `/subscriptions/${id}/preview-change`, { planId: goods.upper.id }],
    codes: allowedIn('subscription_not_active', 'trialing', 'active'),
  },
  'create plan grant': {
    call: ({ id, customerId }) => [
      'POST',
      `/customers/${customerId}/plan-grants`,
      { subscriptionId: id, planId: goods.upper.id, reason: 'For the fair.', duration: 'until_revoked' },
    ],
    codes: allowedIn('subscription_not_active', 'active'),
  },
  'recovery link': {
    call: subscription('/recovery-links'),
    codes: allowedIn('invalid_subscription_status', 'past_due'),
  },
  'update payment method': {
    call: subscription('/payment-method/update', {}),
    codes: allowedIn('invalid_subscription_status', 'trialing', 'active', 'past_due'),
  },
  'apply offer': {
    call: ({ id }) => ['PUT', `/subscriptions/${id}/offer`, { offerId: goods.offer.id }],
    codes: allowedIn('invalid_subscription_status', 'pending_payment', 'trialing', 'active'),
  },
  'remove offer': {
    provided: async ({ id }, status) => {
      if (status === 'pending_payment')
        await ask(['PUT', `/subscriptions/${id}/offer`, { offerId: goods.offer.id }]);
    },
    call: subscription('/offer', undefined, 'DELETE'),
    codes: allowedIn('invalid_subscription_status', 'pending_payment'),
  },
  'activate add-on': {
    call: ({ id }) => ['POST', `/subscriptions/${id}/addons`, { addonId: goods.addon.id }],
    codes: allowedIn('subscription_not_active', 'trialing', 'active'),
  },
  'deactivate add-on': {
    provided: async ({ id }, status) => {
      if (inForce.some((one) => one === status)) await activateAddon(shop, id, goods.addon.id);
    },
    call: ({ id }) => ['DELETE', `/subscriptions/${id}/addons/${goods.addon.id}`],
    codes: allowedIn('subscription_not_active', ...inForce),
  },
  'buy pack': {
    model: 'credits',
    call: ({ id }) => ['POST', `/subscriptions/${id}/credits`, { creditPackId: goods.pack.id }],
    codes: allowedIn('subscription_not_active', 'trialing', 'active'),
  },
  'top up': {
    model: 'balance',
    call: subscription('/balance/topup', { amount: 1_000 }),
    codes: allowedIn('subscription_not_active', 'trialing', 'active'),
  },
  'adjust balance': {
    model: 'balance',
    call: subscription('/balance/adjust', { amount: 500, reason: 'Sorry.' }),
    codes: allowedIn('subscription_not_active', ...inForce),
  },
  'track usage': {
    call: consumption('POST', '/usage/events', 'usage', { value: 3 }),
    codes: allowedIn('no_active_subscription', ...inForce),
  },
  'set usage': {
    call: consumption('PUT', '/usage', 'usage', { value: 3 }),
    codes: allowedIn('no_active_subscription', ...inForce),
  },
  'add seats': {
    call: consumption('POST', '/seats', 'seats', { count: 2 }),
    codes: allowedIn('no_active_subscription', ...inForce),
  },
  'add quota': {
    call: consumption('POST', '/usage/quota', 'quota', { count: 2 }),
    codes: allowedIn('no_active_subscription', ...inForce),
  },
};

const pairs = Object.entries(operations).flatMap(([name, operation]) =>
  statuses.map((status, index) => [name, status, operation.codes[index] ?? null] as const),
);
const modelOf = (name: string): Model => operations[name]?.model ?? 'metered';

async function ask([method, path, body]: Call): Promise<{ status: number; body: unknown }> {
  const { status, body: answer } = await shop.rest<unknown>(method, path, body);
  return { status, body: answer };
}
async function made<T>(call: Call): Promise<T> {
  const { status, body } = await ask(call);
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return body as T;
}
const mend = (customerId: string) =>
  t.app.database.query(
    `UPDATE "PaymentMethod" SET reference = 'tok_sandbox_pays_4242' WHERE "environmentId" = $1 AND "customerId" = $2`,
    [shop.environmentId, customerId],
  );

async function sell(
  model: Model,
  features: readonly MadeFeature[],
  trialDays: number,
  planGroupId: string,
): Promise<string> {
  const [usage, ...counted] = features;
  const { id } = await createPlan(shop, {
    consumptionModel: model,
    ...(model === 'metered' ? { planGroupId } : {}),
  });
  const terms = {
    metered: { includedAmount: 50 },
    credits: { creditsPerUnit: 1 },
    balance: { pricingMode: 'fixed', overage: { unitPrice: 50 } },
  };
  await attachFeature(shop, id, usage?.id ?? '', terms[model]);
  if (model === 'metered')
    for (const feature of counted) await attachFeature(shop, id, feature.id, { includedAmount: 5 });
  const pool = { metered: {}, credits: { includedCredits: 100 }, balance: { includedBalance: 10_000 } };
  await createPrice(shop, id, { ...pool[model], ...(trialDays === 0 ? {} : { trialDays }) });
  return id;
}

async function subscribe(status: Status, model: Model): Promise<Subscriber> {
  const { id: customerId } = await createCustomer(shop);
  const planId = (status === 'trialing' ? goods.trialPlans : goods.plans)[model];
  const startDate = status === 'draft' ? { startDate: '2099-01-01T00:00:00Z' } : {};
  const { id, checkoutUrl } = await made<{ id: string; checkoutUrl: string | null }>([
    'POST',
    '/subscriptions',
    { customerId, planId, ...startDate },
  ]);
  const token = checkoutUrl?.split('/').at(-1) ?? null;
  if (status !== 'draft' && status !== 'pending_payment')
    await pay(shop, token, status === 'past_due' ? cards.declinesLater : cards.pays);
  if (status === 'canceled') await made(['POST', `/subscriptions/${id}/cancel`, { immediate: true }]);
  return { id, customerId, token };
}

const pastDue: Record<Model, Subscriber[]> = { metered: [], credits: [], balance: [] };
const subscribersForRejections = new Map<string, Subscriber>();

/** Returns an unused subscription. Past-due subscriptions were created before the clock advanced. */
async function fresh(status: Status, model: Model): Promise<Subscriber> {
  if (status !== 'past_due') return subscribe(status, model);
  const subscriber = pastDue[model].pop();
  if (subscriber === undefined) throw new Error(`Too few ${model} subscriptions are past due.`);
  return subscriber;
}

/** Returns a subscription that is used only for rejected operations. */
async function subscriberForRejections(status: Status, model: Model): Promise<Subscriber> {
  const known = subscribersForRejections.get(`${status} ${model}`);
  const subscriber = known ?? (await fresh(status, model));
  subscribersForRejections.set(`${status} ${model}`, subscriber);
  return subscriber;
}

beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
  const [usage, seats, quota] = [
    await createFeature(shop, 'usage'),
    await createFeature(shop, 'seats'),
    await createFeature(shop, 'quota'),
  ];
  const group = await createPlanGroup(shop);
  const sold = async (trialDays: number) => ({
    metered: await sell('metered', [usage, seats, quota], trialDays, group.id),
    credits: await sell('credits', [usage], trialDays, group.id),
    balance: await sell('balance', [usage], trialDays, group.id),
  });
  goods = {
    plans: await sold(0),
    trialPlans: await sold(90),
    usage,
    seats,
    quota,
    upper: { id: '' },
    addon: await createAddon(shop),
    pack: await createCreditPack(shop),
    offer: await createOffer(shop),
  };
  const upper = await createPlan(shop, { planGroupId: group.id });
  await createPrice(shop, upper.id, { price: 9_900 });
  goods = { ...goods, upper };
  // One subscription for each allowed operation, and one for all rejected operations.
  for (const model of ['metered', 'credits', 'balance'] as const) {
    const allowed = pairs.filter(
      ([name, status, code]) => status === 'past_due' && code === null && modelOf(name) === model,
    );
    for (let count = 0; count <= allowed.length + 1; count++)
      pastDue[model].push(await subscribe('past_due', model));
  }
  await advanceDays(shop, 32);
});
afterAll(() => t.close());

const statusOf = async ({ id }: Subscriber): Promise<string> =>
  (await made<{ status: string }>(['GET', `/subscriptions/${id}`])).status;

describe('the table of subscription operations by status (SUB-21)', () => {
  test.each(pairs.filter(([, , code]) => code !== null))(
    'rejects %s in the status %s with %s',
    async (name, status, code) => {
      const subscriber = await subscriberForRejections(status, modelOf(name));
      expect(await statusOf(subscriber)).toBe(status);
      const changes = await watchChanges(t.app.database.query);
      const { body } = await ask(operations[name]?.call(subscriber) ?? ['GET', '/']);
      expect(body).toMatchObject({ error: { code } });
      expect(await changes()).toEqual([]);
    },
  );

  test.each(pairs.filter(([, , code]) => code === null))(
    'allows %s in the status %s',
    async (name, status) => {
      const operation = operations[name];
      const subscriber = await fresh(status, modelOf(name));
      expect(await statusOf(subscriber)).toBe(status);
      await operation?.provided?.(subscriber, status);
      await made(operation?.call(subscriber) ?? ['GET', '/']);
    },
  );
});

describe('a condition beyond the subscription status (SUB-21)', () => {
  const scheduled = async (status: Status): Promise<Subscriber> => {
    const subscriber = await fresh(status, 'metered');
    await made(['POST', `/subscriptions/${subscriber.id}/cancel`, {}]);
    return subscriber;
  };
  const oneTime = async (): Promise<Subscriber> => {
    const { id: planId } = await createPlan(shop);
    await createPrice(shop, planId, { billingInterval: 'one_time' });
    const { id: customerId } = await createCustomer(shop);
    const { id, checkoutUrl } = await made<{ id: string; checkoutUrl: string }>([
      'POST',
      '/subscriptions',
      { customerId, planId },
    ]);
    const token = checkoutUrl.split('/').at(-1) ?? null;
    await pay(shop, token);
    return { id, customerId, token };
  };
  const neverActivated = async (): Promise<Subscriber> => {
    const subscriber = await subscribe('pending_payment', 'metered');
    await made(['POST', `/subscriptions/${subscriber.id}/cancel`, {}]);
    return subscriber;
  };
  const owesNothing = async (): Promise<Subscriber> => {
    const subscriber = await fresh('past_due', 'metered');
    const query = `UPDATE "Subscription" SET "dunningInvoiceId" = NULL WHERE "environmentId" = $1 AND id = $2`;
    await t.app.database.query(query, [shop.environmentId, subscriber.id]);
    return subscriber;
  };

  const rejections: readonly [string, () => Promise<Subscriber>, (subscriber: Subscriber) => Call, string][] =
    [
      [
        'a second cancellation while trialing',
        () => scheduled('trialing'),
        subscription('/cancel', {}),
        'already_scheduled',
      ],
      [
        'a second cancellation while active',
        () => scheduled('active'),
        subscription('/cancel', {}),
        'already_scheduled',
      ],
      [
        'the cancellation of a one-time subscription',
        oneTime,
        subscription('/cancel', {}),
        'one_time_subscription_not_cancelable',
      ],
      [
        'the immediate cancellation of a one-time subscription',
        oneTime,
        subscription('/cancel', { immediate: true }),
        'one_time_subscription_not_cancelable',
      ],
      [
        'undoing a cancellation that is not scheduled',
        () => fresh('active', 'metered'),
        subscription('/uncancel'),
        'not_scheduled_for_cancellation',
      ],
      [
        'the reactivation of a subscription that was never active',
        neverActivated,
        subscription('/reactivate', {}),
        'invalid_subscription_status',
      ],
      [
        'a recovery link without an outstanding invoice',
        owesNothing,
        subscription('/recovery-links'),
        'no_outstanding_invoice',
      ],
      [
        'the removal of an offer that is not quoted',
        () => fresh('pending_payment', 'metered'),
        subscription('/offer', undefined, 'DELETE'),
        'offer_not_found',
      ],
    ];

  test.each(rejections)('rejects %s', async (_name, provided, call, code) => {
    const subscriber = await provided();
    const changes = await watchChanges(t.app.database.query);
    expect((await ask(call(subscriber))).body).toMatchObject({ error: { code } });
    expect(await changes()).toEqual([]);
  });
});
