import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type Consumer, createConsumer, of } from '../../../support/consumers.ts';
import { openPortal, otherShop, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { rejection } from '../../../support/refusals.ts';

let t: TestApp;
let shop: Shop;
let consumer: Consumer;
let token: string;

type Json = Readonly<Record<string, unknown>>;
type Limit = Json & { readonly limitId: string };
type Limits = { readonly limits: readonly Limit[]; readonly budgets: { readonly nodes: readonly Json[] } };

/** Creates a customer with overage for 1.00 a unit from the first unit. */
const overageConsumer = (): Promise<Consumer> =>
  createConsumer(shop, { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } } });

beforeAll(async () => {
  t = await startApp();
  shop = await otherShop(t, 'Caps');
});
afterAll(() => t.close());
beforeEach(async () => {
  consumer = await overageConsumer();
  token = await openPortal(shop, consumer.customerId);
});

const bearer = (of: string) => ({ key: null, headers: { authorization: `Bearer ${of}` } });
const shown = `{ limits { limitId setBy measure window currency amount raise used remaining isReached isMerchantLower resetsAt }
  budgets { nodes { key name parentKey limits { limitId setBy amount used isReached } } } }`;

const see = async (by = token): Promise<Limits> =>
  (await t.graphql<{ portalUsageLimits: Limits }>(`{ portalUsageLimits ${shown} }`, {}, bearer(by)))
    .portalUsageLimits;

const text = (field: string): string =>
  `mutation ($input: ${field.charAt(0).toUpperCase()}${field.slice(1)}Input!) { ${field}(input: $input) ${shown} }`;

const act = async (field: string, input: Json): Promise<Limits> => {
  const answer = await t.graphql<Record<string, Limits>>(text(field), { input }, bearer(token));
  return answer[field] ?? { limits: [], budgets: { nodes: [] } };
};

/** Returns the error of an action, and asserts that nothing changed. */
const refused = (field: string, input: Json, by = token) => rejection(t, text(field), { input }, bearer(by));

const cap = (amount: number, input: Json = {}) =>
  act('portalLimitSet', { measure: 'spend', amount, ...input });

const track = (value: number, body: Json = {}) =>
  shop.rest('POST', '/usage/events', { ...of(consumer), value, ...body });

/** Creates a limit of the organization. */
async function merchantLimit(scope: Json, body: Json = {}): Promise<string> {
  const answer = await shop.rest('POST', '/limits', {
    ...{ scope, measure: 'spend', currency: 'usd', action: 'block', window: { kind: 'usage_window' } },
    amount: 1_000,
    ...body,
  });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return String(answer.body['id']);
}

describe('a cap of a customer', () => {
  test('rejects usage beyond the amount, accepts usage after it is raised, and is removed', async () => {
    expect(await see()).toEqual({ limits: [], budgets: { nodes: [] } });
    const [own] = (await cap(2_000)).limits;
    expect(own).toMatchObject({
      setBy: 'customer',
      measure: 'spend',
      window: 'usage_window',
      currency: 'usd',
      amount: '20',
      used: '0',
      isReached: false,
      isMerchantLower: false,
    });
    expect((await track(20)).status).toBe(200);
    expect((await track(1)).status).toBe(400);
    expect((await see()).limits).toMatchObject([{ used: '20', remaining: '0', isReached: true }]);
    const limitId = own?.limitId ?? '';
    expect((await act('portalLimitRaise', { limitId, amount: 500 })).limits).toMatchObject([
      { amount: '20', raise: '5', remaining: '5' },
    ]);
    expect((await track(5)).status).toBe(200);
    expect((await track(1)).status).toBe(400);
    expect((await cap(3_000)).limits).toMatchObject([{ limitId, amount: '30', raise: '5' }]);
    expect((await track(10)).status).toBe(200);
    expect((await act('portalLimitRemove', { limitId })).limits).toEqual([]);
    expect((await track(100)).status).toBe(200);
  });

  test('rejects all overage if the amount is 0', async () => {
    await cap(0);
    expect((await track(1)).status).toBe(400);
  });

  test('is set up to 5 times for all usage, and once for each budget', async () => {
    await shop.rest('POST', `/customers/${consumer.customerId}/budgets`, { key: 'team:eu' });
    for (const window of ['usage_window', 'day', 'week', 'month']) await cap(1_000, { window });
    await cap(1_000, { measure: 'value' });
    expect((await refused('portalLimitSet', { measure: 'value', window: 'day', amount: 1_000 })).code).toBe(
      'validation_error',
    );
    expect((await see()).limits).toHaveLength(5);
    const { budgets } = await cap(500, { measure: 'value', budget: 'team:eu' });
    expect(budgets.nodes).toMatchObject([{ key: 'team:eu', limits: [{ amount: '5', used: '0' }] }]);
    const other = { measure: 'value', window: 'day', amount: 100, budget: 'team:eu' };
    expect((await refused('portalLimitSet', other)).code).toBe('validation_error');
    expect((await track(6, { budget: 'team:eu' })).status).toBe(400);
    expect((await track(5, { budget: 'team:eu' })).status).toBe(200);
    expect((await see()).budgets.nodes).toMatchObject([{ limits: [{ used: '5', isReached: true }] }]);
  });

  test('leaves room for 8 limits of the organization', async () => {
    for (const window of ['usage_window', 'day', 'week', 'month']) await cap(1_000, { window });
    for (let count = 0; count < 8; count += 1) await merchantLimit({ customer: consumer.customerId });
    expect(
      (await cap(1_000, { measure: 'value' })).limits.filter(({ setBy }) => setBy === 'customer'),
    ).toHaveLength(5);
  });

  test('is created once by concurrent requests', async () => {
    await Promise.all([cap(100), cap(100), cap(100)]);
    expect((await see()).limits).toHaveLength(1);
  });

  test('is replaced if a concurrent request with a later time created the cap', async () => {
    await cap(100);
    const stored = () =>
      t.app.database.query(
        'SELECT amount::int FROM "Limit" WHERE "environmentId" = $1 AND "customerId" = $2',
        [shop.environmentId, consumer.customerId],
      );
    await t.app.database.query(
      `UPDATE "Limit" SET "validFrom" = "validFrom" + interval '5 seconds' WHERE "environmentId" = $1 AND "customerId" = $2`,
      [shop.environmentId, consumer.customerId],
    );
    await cap(200);
    expect(await stored()).toEqual([{ amount: 200 }]);
  });

  test('is rejected with an amount below 0, another measure, an unknown budget, and an archived budget', async () => {
    expect((await refused('portalLimitSet', { measure: 'spend', amount: -1 })).code).toBe('validation_error');
    expect((await refused('portalLimitSet', { measure: 'spend', amount: 1, budget: 'team:x' })).code).toBe(
      'not_found',
    );
    await shop.rest('POST', `/customers/${consumer.customerId}/budgets`, { key: 'team:x' });
    await shop.rest('DELETE', `/customers/${consumer.customerId}/budgets/team:x`);
    expect((await refused('portalLimitSet', { measure: 'spend', amount: 1, budget: 'team:x' })).code).toBe(
      'validation_error',
    );
    expect((await see()).budgets.nodes).toEqual([]);
  });
});

describe('an alert of a customer', () => {
  const shownAlert = `{ limits { limitId setBy action amount used isReached isEmailed isMerchantLower thresholds { amount isReached } }
    budgets { nodes { key limits { limitId action amount isReached } } } }`;
  const seeAlerts = async (): Promise<Limits> =>
    (await t.graphql<{ portalUsageLimits: Limits }>(`{ portalUsageLimits ${shownAlert} }`, {}, bearer(token)))
      .portalUsageLimits;
  const alert = (amount: number, input: Json = {}) =>
    cap(amount, { action: 'notify', thresholds: [5_000, 8_000], ...input });
  const crossings = async () =>
    (
      await shop.rest<{ data: readonly Json[] }>('GET', `/limit-crossings?customerId=${consumer.customerId}`)
    ).body.data.map(({ kind, threshold, value }) => ({ kind, threshold, value }));

  test('rejects no usage, and is reached at its shares and at its amount', async () => {
    await alert(2_000, { channels: ['portal'] });
    const common = { setBy: 'customer', action: 'notify', amount: '20', isEmailed: false };
    const at = (...reached: readonly boolean[]) =>
      ['10', '16'].map((amount, index) => ({ amount, isReached: reached[index] }));
    expect((await track(9)).status).toBe(200);
    expect((await seeAlerts()).limits).toMatchObject([
      { ...common, used: '9', isReached: false, thresholds: at(false, false) },
    ]);
    expect((await track(1)).status).toBe(200);
    expect((await seeAlerts()).limits).toMatchObject([
      { ...common, used: '10', isReached: false, thresholds: at(true, false) },
    ]);
    expect((await track(12)).status).toBe(200);
    expect((await seeAlerts()).limits).toMatchObject([
      { ...common, used: '22', isReached: true, thresholds: at(true, true) },
    ]);
    expect(await crossings()).toEqual([
      { kind: 'reached', threshold: '20', value: '22' },
      { kind: 'threshold', threshold: '16', value: '22' },
      { kind: 'threshold', threshold: '10', value: '10' },
    ]);
  });

  test('keeps a cap with the same measure and window unchanged', async () => {
    await merchantLimit({ customer: consumer.customerId }, { amount: 500 });
    await cap(3_000);
    await alert(1_000);
    await alert(1_500, { thresholds: [9_000], channels: ['customer_email'] });
    await alert(1_600, { thresholds: null });
    const own = (await seeAlerts()).limits.filter(({ setBy }) => setBy === 'customer');
    expect(own).toMatchObject([
      { action: 'block', amount: '30', isMerchantLower: true },
      {
        ...{ action: 'notify', amount: '16', isEmailed: true, isMerchantLower: false },
        thresholds: [{ amount: '14.4', isReached: false }],
      },
    ]);
  });

  test('counts toward 5 limits on all usage, and toward 1 for each budget', async () => {
    await shop.rest('POST', `/customers/${consumer.customerId}/budgets`, { key: 'team:eu' });
    for (const window of ['usage_window', 'day', 'week', 'month']) await alert(1_000, { window });
    await cap(1_000);
    const sixth = { measure: 'value', amount: 1_000, action: 'notify' };
    expect((await refused('portalLimitSet', sixth)).code).toBe('validation_error');
    await alert(700, { measure: 'value', budget: 'team:eu' });
    const second = { measure: 'value', amount: 700, budget: 'team:eu' };
    expect((await refused('portalLimitSet', second)).code).toBe('validation_error');
    expect((await track(8, { budget: 'team:eu' })).status).toBe(200);
    expect((await seeAlerts()).budgets.nodes).toMatchObject([
      { limits: [{ action: 'notify', amount: '7', isReached: true }] },
    ]);
    const [budget] = (await seeAlerts()).budgets.nodes as readonly (Json & { limits: readonly Limit[] })[];
    const limitId = budget?.limits[0]?.limitId ?? '';
    expect((await act('portalLimitRemove', { limitId })).budgets.nodes).toMatchObject([{ limits: [] }]);
  });

  test.each([
    ['an amount of 0', { amount: 0 }, 'amount'],
    ['a share of 0', { thresholds: [0] }, 'thresholds.0'],
    ['a share above the amount', { thresholds: [10_001] }, 'thresholds.0'],
    ['shares in another order', { thresholds: [8_000, 5_000] }, 'thresholds.1'],
    ['a share twice', { thresholds: [5_000, 5_000] }, 'thresholds.1'],
    ['11 shares', { thresholds: [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11] }, 'thresholds'],
    ['no channel', { channels: [] }, 'channels'],
    ['a channel twice', { channels: ['portal', 'portal'] }, 'channels'],
  ])('is rejected with %s', async (_name, input, param) => {
    const body = { measure: 'spend', amount: 1_000, action: 'notify', ...input };
    expect(await refused('portalLimitSet', body)).toMatchObject({ code: 'validation_error', param });
    expect((await see()).limits).toEqual([]);
  });
});

test('an ended limit stays ended when the customer sets the same limit again', async () => {
  const [own] = (await cap(1_000)).limits;
  const { limitId } = own ?? {};
  const validUntil = new Date(Date.now() + 1_500).toISOString();
  expect((await shop.rest('PATCH', `/limits/${limitId}`, { validUntil })).status).toBe(200);
  await new Promise((resolve) => setTimeout(resolve, 1_600));
  const { limits } = await cap(2_000);
  expect(limits).toMatchObject([{ amount: '20' }]);
  expect(limits[0]?.limitId).not.toBe(limitId);
  expect((await shop.rest('GET', `/limits/${limitId}`)).body).toMatchObject({ amount: 1_000, validUntil });
});

describe('limits of the organization', () => {
  const hidden = {
    ...{ limitId: null, measure: null, window: null, currency: null, amount: null, raise: null },
    ...{ used: null, remaining: null, isMerchantLower: false },
  };

  test('appear without figures if they reject usage, and state that they are lower', async () => {
    await merchantLimit({ customer: consumer.customerId }, { name: 'Secret' });
    await merchantLimit({ customer: consumer.customerId }, { action: 'notify', amount: 1 });
    await cap(2_000);
    await track(10);
    const { limits } = await see();
    expect(limits).toHaveLength(2);
    expect(limits[0]).toEqual({
      ...hidden,
      setBy: 'merchant',
      isReached: true,
      resetsAt: expect.stringMatching(/T00:00:00.000Z$/),
    });
    expect(limits[1]).toMatchObject({ setBy: 'customer', used: '10', isMerchantLower: true });
    await cap(1_000);
    expect((await see()).limits[1]).toMatchObject({ isMerchantLower: false });
  });

  test('appear without figures if usage above them needs an approval', async () => {
    await merchantLimit({ customer: consumer.customerId }, { action: 'approve', amount: 100 });
    await cap(2_000);
    const { limits } = await see();
    expect(limits).toMatchObject([
      { setBy: 'merchant', amount: null, isReached: false },
      { setBy: 'customer', amount: '20', isMerchantLower: true },
    ]);
  });

  test('appear with figures if their channels include the portal', async () => {
    await merchantLimit({ customer: consumer.customerId }, { channels: ['portal'], action: 'notify' });
    await track(4);
    expect((await see()).limits).toMatchObject([
      { limitId: null, setBy: 'merchant', measure: 'spend', currency: 'usd', amount: '10', used: '4' },
    ]);
  });

  test('appear without figures in templates and budgets', async () => {
    const { customerId, planId } = consumer;
    await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'team:eu' });
    await shop.rest('POST', `/customers/${customerId}/budgets`, { key: 'key:a', parentKey: 'team:eu' });
    await merchantLimit({ each: 'customer', in: { plan: planId } }, { amount: 500 });
    await merchantLimit({ customer: customerId, budget: 'team:eu' }, { measure: 'value' });
    const { limits, budgets } = await see();
    expect(limits).toEqual([{ ...hidden, setBy: 'merchant', isReached: false, resetsAt: expect.anything() }]);
    expect(budgets.nodes).toEqual([
      { key: 'key:a', name: null, parentKey: 'team:eu', limits: [] },
      {
        ...{ key: 'team:eu', name: null, parentKey: null },
        limits: [{ limitId: null, setBy: 'merchant', amount: null, used: null, isReached: false }],
      },
    ]);
  });

  test('appear without figures if they bound a plan or all customers together (LIM-75)', async () => {
    const other = await overageConsumer();
    await shop.rest('POST', '/usage/events', { ...of(other), value: 4 });
    const terms = { window: { kind: 'day' }, amount: 9_999_999, name: 'Secret' };
    const ids = [
      await merchantLimit({ plan: consumer.planId }, terms),
      await merchantLimit({ organization: true }, terms),
    ];
    await track(3);
    const shownLimit = {
      ...{ ...hidden, setBy: 'merchant', isReached: false },
      resetsAt: expect.stringMatching(/T00:00:00.000Z$/),
    };
    expect((await see()).limits).toEqual([shownLimit, shownLimit]);
    for (const id of ids) expect((await shop.rest('DELETE', `/limits/${id}`)).status).toBe(200);
  });

  test("can't be changed, raised, or removed by a customer, and neither can the limits of another customer", async () => {
    const merchants = await merchantLimit({ customer: consumer.customerId });
    const template = await merchantLimit(
      { each: 'customer', in: { organization: true } },
      { amount: 9_999_999 },
    );
    const other = await overageConsumer();
    await shop.rest('POST', `/customers/${other.customerId}/budgets`, { key: 'team:other' });
    const otherToken = await openPortal(shop, other.customerId);
    const [foreign] = (
      await t.graphql<{ portalLimitSet: Limits }>(
        text('portalLimitSet'),
        { input: { measure: 'spend', amount: 100 } },
        bearer(otherToken),
      )
    ).portalLimitSet.limits.filter(({ setBy }) => setBy === 'customer');
    for (const limitId of [merchants, template, foreign?.limitId ?? '', 'lim_none']) {
      expect((await refused('portalLimitRemove', { limitId })).code).toBe('not_found');
      expect((await refused('portalLimitRaise', { limitId, amount: 1 })).code).toBe('not_found');
    }
    const budget = { measure: 'spend', amount: 1, budget: 'team:other' };
    expect((await refused('portalLimitSet', budget)).code).toBe('not_found');
    const seen = await see();
    expect(seen.budgets.nodes).toEqual([]);
    expect(JSON.stringify(seen)).not.toContain(foreign?.limitId);
    expect((await shop.rest('DELETE', `/limits/${template}`)).status).toBe(200);
  });
});

test('customers set no limits and no automatic top-up if the organization turned them off', async () => {
  const [own] = (await cap(2_000)).limits;
  await t.settings({ portal: { customerLimits: false, customerAutoTopUp: false } }, shop.environmentId);
  const limitId = own?.limitId ?? '';
  for (const [field, input] of [
    ['portalLimitSet', { measure: 'spend', amount: 1 }],
    ['portalLimitRaise', { limitId, amount: 1 }],
    ['portalLimitRemove', { limitId }],
  ] as const)
    expect((await refused(field, input)).code).toBe('forbidden');
  const topUp =
    'mutation ($input: PortalAutoTopUpSetInput!) { portalAutoTopUpSet(input: $input) { status } }';
  const input = {
    ...{ asset: 'usd', threshold: 1, amount: 100, maxPerMonth: 1, maxAmountPerMonth: 100 },
    ...{ statement: 'I agree.', language: 'en' },
  };
  expect((await rejection(t, topUp, { input }, bearer(token))).code).toBe('forbidden');
  expect((await see()).limits).toHaveLength(1);
  await t.settings({ portal: { customerLimits: true, customerAutoTopUp: true } }, shop.environmentId);
});
