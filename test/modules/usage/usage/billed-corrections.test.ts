import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { consumptionOf } from '../../../support/consumers.ts';
import { eventually } from '../../../support/eventually.ts';
import {
  advanceDays,
  attachFeature,
  createCustomer,
  createFeature,
  createPlan,
  createPlanGroup,
  createPrice,
  otherShop,
  pay,
  type Shop,
  subscribeTo,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../../../support/processor.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Corrections of events that a plan change billed while its charge is in progress (PRM-127, PRM-128).

const wall = new MovableClock('2027-01-31T09:30:00.000Z');

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeEach(async () => {
  shop = await otherShop(t);
});
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({
    wall,
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' },
    gateways: chargingSandboxes,
  });
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

type Line = { readonly lineType: string; readonly amount: number };

/** Returns the lines of the latest invoice, each as its type and amount. */
async function latestLines(subscriptionId: string): Promise<readonly string[]> {
  const { body } = await shop.rest('GET', `/invoices?subscriptionId=${subscriptionId}&limit=1`);
  const [latest] = body['data'] as readonly { readonly id: string }[];
  const invoice = await shop.rest<{ lineItems: readonly Line[] }>('GET', `/invoices/${latest?.id}`);
  return invoice.body.lineItems.map(({ lineType, amount }) => `${lineType} ${amount}`);
}

/** Returns the totals of the usage windows: the open one, and the ended one. */
async function totals(subscriptionId: string): Promise<unknown> {
  const read = (table: string) =>
    t.app.database.query<{ total: bigint }>(
      `SELECT total FROM "${table}" WHERE "environmentId" = $1 AND "subscriptionId" = $2 ORDER BY seq DESC LIMIT 1`,
      [shop.environmentId, subscriptionId],
    );
  const [[open], [ended]] = await Promise.all([read('UsageCounter'), read('EndedUsage')]);
  return [open?.total, ended?.total ?? null];
}

type Body = Readonly<Record<string, unknown>>;
type Sketch = {
  readonly plan?: Body;
  readonly price?: Body;
  /** Pool of the plan, by the code of its asset. */
  readonly pool?: readonly [asset: string, Body];
  readonly terms: Body;
};
type Climber = {
  readonly id: string;
  readonly customerId: string;
  readonly highId: string;
  readonly featureCode: string;
};

const metered: Sketch = { terms: { includedAmount: 0, overage: { enabled: true, unitPrice: 10_000 } } };
const credits = (includedCredits: number): Sketch => ({
  plan: { consumptionModel: 'credits' },
  price: { includedCredits },
  terms: { creditsPerUnit: 1 },
});

/** Metered plan with a pool of credits that its usage doesn't draw on. */
const besideCredits: Sketch = { ...metered, pool: ['credits', { includedPerWindow: 0 }] };

/** Metered plan whose usage draws on a pool of US dollars that can be overdrawn, at 1.00 for each unit. */
const overdrawn = (includedPerWindow: number): Sketch => ({
  pool: ['usd', { includedPerWindow, onEmpty: 'overdraw' }],
  terms: { ...metered.terms, settle: { pool: 'usd' } },
});

/** Metered plan whose usage draws on a pool of credits. */
const pooled = (includedPerWindow: number): Sketch => ({
  pool: ['credits', { includedPerWindow }],
  terms: { creditsPerUnit: 1, settle: { pool: 'credits' } },
});

/** Creates a customer of the lower of two plans, for 34.00 and 118.00 a month. */
async function createClimber(low: Sketch, high: Sketch): Promise<Climber> {
  const { id: planGroupId } = await createPlanGroup(shop);
  const feature = await createFeature(shop, 'usage');
  const sell = async ({ plan, price, pool, terms }: Sketch, monthly: number): Promise<string> => {
    const { id } = await createPlan(shop, { planGroupId, ...plan });
    await createPrice(shop, id, { price: monthly, ...price });
    if (pool !== undefined)
      expect(await shop.rest('PUT', `/plans/${id}/pools/${pool[0]}`, pool[1])).toMatchObject({ status: 200 });
    await attachFeature(shop, id, feature.id, terms);
    return id;
  };
  const [lowId, highId] = [await sell(low, 3_400), await sell(high, 11_800)];
  const { id: customerId } = await createCustomer(shop);
  processor.plays('settles');
  const { id, token } = await subscribeTo(shop, customerId, lowId);
  if (token !== null) await pay(shop, token);
  return { id, customerId, highId, featureCode: feature.code };
}

async function track({ customerId, featureCode }: Climber, value: number): Promise<string> {
  const { status, body } = await shop.rest('POST', '/usage/events', { customerId, featureCode, value });
  expect(status, JSON.stringify(body)).toBe(200);
  return String(body['id']);
}

const voidEvent = (id: string) => shop.rest('POST', `/usage/events/${id}/void`, {});
const replace = (id: string, value: number) => shop.rest('POST', `/usage/events/${id}/replace`, { value });

/** Changes to the higher plan. The charge stays in progress. */
async function startChange({ id, highId }: Climber): Promise<void> {
  processor.plays('works');
  await shop.rest('POST', `/subscriptions/${id}/change-plan`, { newPlanId: highId });
}

let minute = 30;

/** Settles the charge of the change. */
async function settleChange({ id, highId }: Climber): Promise<void> {
  const [attempt] = await t.app.database.query<{ id: string }>(
    `SELECT id FROM "ChargeAttempt" WHERE "environmentId" = $1 AND "inquireAt" IS NOT NULL`,
    [shop.environmentId],
  );
  processor.decides(attempt?.id ?? '', { status: 'settled' });
  minute += 2;
  wall.set(`2027-01-31T09:${minute}:00.000Z`);
  await eventually(async () => {
    const { body } = await shop.rest('GET', `/subscriptions/${id}`);
    return (body['plan'] as { readonly id: string } | undefined)?.id === highId || body['planId'] === highId;
  });
  processor.plays('settles');
}

test('a correction of a billed event is credited after the plan change, and its replacement stays in the billed window', async () => {
  const climber = await createClimber(metered, metered);
  const { id } = climber;
  const [voided, replaced] = [await track(climber, 30), await track(climber, 20)];
  await startChange(climber);
  await track(climber, 7);
  const later = await track(climber, 4);
  expect((await voidEvent(voided)).body).toMatchObject({ difference: -30 });
  expect((await replace(replaced, 25)).body).toMatchObject({ difference: 5 });
  expect((await voidEvent(later)).body).toMatchObject({ difference: -4 });
  expect(await totals(id)).toEqual([32n, null]);
  await settleChange(climber);
  expect(await latestLines(id)).toContain('feature_overage 5000');
  expect(await totals(id)).toEqual([7n, 25n]);
  const { usageCorrections } = await t.graphql<{ usageCorrections: { nodes: readonly Body[] } }>(
    `{ usageCorrections(customerId: "${climber.customerId}") { nodes { difference amount } } }`,
    {},
    { key: shop.key },
  );
  expect(usageCorrections.nodes).toEqual([
    { difference: -4, amount: null },
    { difference: 5, amount: 500 },
    { difference: -30, amount: -3_000 },
  ]);
  await advanceDays(shop, 31);
  expect(await latestLines(id)).toEqual([
    'plan_base 11800',
    'feature_overage 700',
    'feature_overage 500',
    'credit -3000',
  ]);
  await expectLedgerBalanced(t);
});

/** Returns the credits that are left. Expects the same sum of all entries. */
const left = async ({ id: subscriptionId, customerId, highId: planId }: Climber) => {
  const feature = { id: '', code: '', name: '' };
  const { credits: amount, entries } = await consumptionOf(shop, {
    subscriptionId,
    customerId,
    planId,
    feature,
  });
  expect(entries?.credits).toBe(amount);
  return amount;
};

/** Grants credits to a customer. Returns the status. */
const grantCredits = async ({ customerId }: Climber, amount: number): Promise<number> =>
  (await shop.rest('POST', `/customers/${customerId}/lots`, { asset: 'credits', amount })).status;

describe('a correction of usage that a plan change carried to the window of the new plan', () => {
  test('returns its part of the deduction from the new pool, and first reduces the waived part', async () => {
    const climber = await createClimber(metered, pooled(20));
    await track(climber, 30);
    await startChange(climber);
    const [replaced, voided] = [await track(climber, 15), await track(climber, 12)];
    await settleChange(climber);
    expect([await left(climber), await totals(climber.id)]).toEqual([0n, [27n, 30n]]);
    expect((await voidEvent(voided)).body).toMatchObject({ difference: -12, deducted: -5, waived: -7 });
    expect(await left(climber)).toBe(5n);
    expect((await replace(replaced, 18)).body).toMatchObject({ difference: 3, deducted: 3, waived: 0 });
    expect([await left(climber), await totals(climber.id)]).toEqual([2n, [18n, 30n]]);
    await expectLedgerBalanced(t);
  });

  test('returns its deduction to the lot that it drew on, and to the lot of the new plan', async () => {
    const climber = await createClimber(credits(20), credits(100));
    const lot = { asset: 'credits', amount: 30 };
    expect(await shop.rest('POST', `/customers/${climber.customerId}/lots`, lot)).toMatchObject({
      status: 201,
    });
    await track(climber, 12);
    await startChange(climber);
    const voided = await track(climber, 15);
    expect(await left(climber)).toBe(23n);
    await settleChange(climber);
    expect(await left(climber)).toBe(115n);
    expect((await voidEvent(voided)).body).toMatchObject({ difference: -15, deducted: -15, waived: 0 });
    expect(await left(climber)).toBe(130n);
    await expectLedgerBalanced(t);
  });

  test('keeps a lot open that it used up', async () => {
    const climber = await createClimber(credits(20), credits(100));
    const lot = { asset: 'credits', amount: 10 };
    expect(await shop.rest('POST', `/customers/${climber.customerId}/lots`, lot)).toMatchObject({
      status: 201,
    });
    await track(climber, 20);
    await startChange(climber);
    const voided = await track(climber, 10);
    await settleChange(climber);
    expect(await left(climber)).toBe(100n);
    expect((await voidEvent(voided)).body).toMatchObject({ deducted: -10 });
    expect(await left(climber)).toBe(110n);
  });
});

describe('a correction of carried usage after its window ended', () => {
  test('is credited on the next invoice at the prices of the new plan', async () => {
    const climber = await createClimber(metered, metered);
    await track(climber, 30);
    await startChange(climber);
    const [voided, replaced] = [await track(climber, 7), await track(climber, 4)];
    await settleChange(climber);
    await advanceDays(shop, 31);
    expect(await latestLines(climber.id)).toEqual(['plan_base 11800', 'feature_overage 1100']);
    expect((await voidEvent(voided)).body).toMatchObject({ difference: -7, amount: -700 });
    expect((await replace(replaced, 6)).body).toMatchObject({ difference: 2, amount: 200 });
    await advanceDays(shop, 31);
    expect(await latestLines(climber.id)).toEqual(['plan_base 11800', 'feature_overage 200', 'credit -700']);
    await expectLedgerBalanced(t);
  });

  test('returns its part of the deduction to lots that remain, and first reduces the waived part', async () => {
    const climber = await createClimber(besideCredits, pooled(20));
    expect(await grantCredits(climber, 5)).toBe(201);
    await track(climber, 30);
    await startChange(climber);
    const [replaced, voided] = [await track(climber, 15), await track(climber, 12)];
    await settleChange(climber);
    expect(await left(climber)).toBe(0n);
    await advanceDays(shop, 31);
    expect(await left(climber)).toBe(20n);
    expect((await voidEvent(voided)).body).toMatchObject({
      difference: -12,
      deducted: -5,
      waived: -2,
      amount: 0,
    });
    expect(await left(climber)).toBe(25n);
    expect((await replace(replaced, 18)).body).toMatchObject({ difference: 3, deducted: 3, waived: 0 });
    expect(await left(climber)).toBe(22n);
    await expectLedgerBalanced(t);
  });

  test('returns a deduction that an earlier correction changed only once', async () => {
    const climber = await createClimber(besideCredits, pooled(2));
    expect(await grantCredits(climber, 50)).toBe(201);
    await track(climber, 30);
    await startChange(climber);
    const replaced = await track(climber, 15);
    await settleChange(climber);
    const { body } = await replace(replaced, 12);
    expect(body).toMatchObject({ difference: -3, deducted: -3 });
    await track(climber, 4);
    expect(await left(climber)).toBe(36n);
    await advanceDays(shop, 31);
    expect(await left(climber)).toBe(38n);
    const replacement = body['replacement'] as { readonly id: string };
    expect((await voidEvent(replacement.id)).body).toMatchObject({
      difference: -12,
      deducted: -10,
      waived: 0,
    });
    expect(await left(climber)).toBe(48n);
    await expectLedgerBalanced(t);
  });

  test('credits the billed part of a negative balance first', async () => {
    const climber = await createClimber(metered, overdrawn(100_000));
    await track(climber, 30);
    await startChange(climber);
    const voided = await track(climber, 9);
    const replaced = await track(climber, 6);
    await settleChange(climber);
    await advanceDays(shop, 31);
    expect(await latestLines(climber.id)).toEqual(['plan_base 11800', 'balance_overage 500']);
    expect((await voidEvent(voided)).body).toMatchObject({ difference: -9, deducted: 0, amount: -500 });
    expect((await replace(replaced, 8)).body).toMatchObject({ difference: 2, deducted: 20_000, amount: 0 });
    await advanceDays(shop, 31);
    expect(await latestLines(climber.id)).toEqual(['plan_base 11800', 'credit -500']);
    await expectLedgerBalanced(t);
  });
});
