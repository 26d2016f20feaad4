import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Consumer,
  type ConsumerOptions,
  consumptionOf,
  createBalanceConsumer,
  createConsumer,
  createCreditsConsumer,
  of,
} from '../../../support/consumers.ts';
import {
  advanceDays,
  firstShop,
  latestTransaction,
  openPortal,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { expectLedgerBalanced } from '../../../support/stories.ts';

// Corrections of events in ended usage windows, which appear on the next invoice (PRM-128, PRM-129).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp();
  shop = firstShop(t);
});
afterAll(() => t.close());

type Body = Readonly<Record<string, unknown>>;

async function track(consumer: Consumer, body: Body): Promise<string> {
  const response = await shop.rest('POST', '/usage/events', { ...of(consumer), ...body });
  expect(response.status, JSON.stringify(response.body)).toBe(200);
  return String(response.body['id']);
}

const voidEvent = (id: string) => shop.rest('POST', `/usage/events/${id}/void`, {});
const replace = (id: string, body: Body) => shop.rest('POST', `/usage/events/${id}/replace`, body);
const tooOld = {
  status: 400,
  body: { error: { code: 'validation_error', details: { reason: 'too_old' } } },
};

/** Creates a consumer with the terms of CON-E1: 4,200 included units, and 0.0085 for each additional unit. */
const createCallsConsumer = (options: ConsumerOptions = {}) =>
  createConsumer(shop, {
    price: { price: 2_000 },
    terms: { includedAmount: 4_200, overage: { enabled: true, unitPrice: 85 } },
    ...options,
  });

/** Returns the lines of the consumer's latest invoice, each as its type, amount, and start of the period. */
async function latestLines({ subscriptionId }: Consumer): Promise<readonly string[]> {
  const { body } = await shop.rest('GET', `/invoices?subscriptionId=${subscriptionId}&limit=1`);
  const [latest] = body['data'] as readonly { readonly id: string }[];
  const invoice = await shop.rest('GET', `/invoices/${latest?.id}`);
  return (invoice.body['lineItems'] as readonly { readonly lineType: string; readonly amount: number }[]).map(
    ({ lineType, amount }) => `${lineType} ${amount}`,
  );
}

/** Returns the amounts of the customer's credits that aren't used. */
async function creditsOf({ customerId }: Consumer): Promise<readonly Body[]> {
  const { body } = await shop.rest('GET', `/customers/${customerId}/credits`);
  return body['data'] as readonly Body[];
}

/** Returns the next charge as the portal shows it. */
async function nextCharge({ customerId }: Consumer): Promise<unknown> {
  const token = await openPortal(shop, customerId);
  const { portal } = await t.graphql<{ portal: { subscription: Body } }>(
    '{ portal { subscription { nextCharge { amount } } } }',
    {},
    { key: null, headers: { authorization: `Bearer ${token}` } },
  );
  return portal.subscription['nextCharge'];
}

describe('a correction of an ended usage window', () => {
  test('credits the difference of the rounded prices on the next invoice (PRM-E36)', async () => {
    const consumer = await createCallsConsumer();
    await track(consumer, { value: 5_537 });
    const id = await track(consumer, { value: 500 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 2000', 'feature_overage 1561']);
    const { body } = await voidEvent(id);
    expect(body).toMatchObject({ kind: 'void', difference: -500, deducted: null, amount: -425 });
    expect((await voidEvent(id)).body).toEqual(body);
    expect((await replace(id, { value: 3 })).body).toMatchObject({ error: { code: 'duplicate' } });
    expect(await nextCharge(consumer)).toMatchObject({ amount: 1_575 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 2000', 'credit -425']);
    const { usageCorrections } = await t.graphql<{ usageCorrections: { nodes: readonly Body[] } }>(
      `{ usageCorrections(customerId: "${consumer.customerId}") { nodes { amount invoiceLines { amount lineType correction { id } explanation { rule formula inputs } } } } }`,
    );
    expect(usageCorrections.nodes).toEqual([
      {
        amount: -425,
        invoiceLines: [
          {
            amount: -425,
            lineType: 'credit',
            correction: { id: body['id'] },
            explanation: { rule: 'PRM-128', formula: 'credit', inputs: { remaining: '425', open: '2000' } },
          },
        ],
      },
    ]);
    await expectLedgerBalanced(t);
  });

  test('prices the window again by dimension values', async () => {
    const consumer = await createConsumer(shop, {
      price: { price: 2_000 },
      terms: { includedAmount: 0, overage: { enabled: true } },
      meter: { aggregation: 'sum', dimensions: [{ property: 'model' }] },
      rate: {
        cells: [
          { when: { model: ['L'] }, rate: { amount: '0.0120' } },
          { when: { model: ['S'] }, rate: { amount: '0.0015' } },
        ],
      },
    });
    const of = (value: number, model: string) => ({
      value,
      properties: [{ property: 'model', value: model }],
    });
    const large = await track(consumer, of(2_400, 'L'));
    const small = await track(consumer, of(31_000, 'S'));
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual([
      'plan_base 2000',
      'feature_overage 2880',
      'feature_overage 4650',
    ]);
    expect(await replace(large, of(10, 'M'))).toMatchObject({
      status: 400,
      body: { error: { code: 'validation_error', details: { reason: 'no_price_for_dimensions' } } },
    });
    expect((await replace(large, of(2_400, 'S'))).body).toMatchObject({ difference: 0, amount: -2_520 });
    expect((await voidEvent(small)).body).toMatchObject({ difference: -31_000, amount: -4_650 });
    expect(await nextCharge(consumer)).toMatchObject({ amount: 0 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 2000', 'credit -2000']);
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 2000', 'credit -520', 'credit -1480']);
    await expectLedgerBalanced(t);
  });

  test('charges a higher price with the period of the ended window', async () => {
    const consumer = await createCallsConsumer();
    const id = await track(consumer, { value: 4_000 });
    await advanceDays(shop, 31);
    const { body } = await replace(id, { value: 4_201 });
    expect(body).toMatchObject({ kind: 'replace', difference: 201, amount: 1 });
    const { id: next } = body['replacement'] as { readonly id: string };
    expect((await replace(next, { value: 6_037 })).body).toMatchObject({ difference: 1_836, amount: 1_560 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual([
      'plan_base 2000',
      'feature_overage 1',
      'feature_overage 1560',
    ]);
    await expectLedgerBalanced(t);
  });

  test('uses the terms of the ended window after the price was changed', async () => {
    const consumer = await createCallsConsumer();
    await track(consumer, { value: 5_537 });
    const id = await track(consumer, { value: 500 });
    await advanceDays(shop, 31);
    await shop.rest('PUT', `/plans/${consumer.planId}/features/${consumer.feature.id}`, {
      includedAmount: 10_000,
      overage: { enabled: true, unitPrice: 1 },
    });
    expect((await voidEvent(id)).body).toMatchObject({ amount: -425 });
  });

  test('waits for later invoices if its credit exceeds their taxable amount', async () => {
    const consumer = await createCallsConsumer({ price: { price: 300 } });
    const id = await track(consumer, { value: 6_037 });
    await advanceDays(shop, 31);
    expect((await voidEvent(id)).body).toMatchObject({ amount: -1_561 });
    const found: (readonly string[])[] = [];
    for (const _month of [1, 2]) {
      await advanceDays(shop, 31);
      found.push(await latestLines(consumer));
    }
    expect(found).toEqual([
      ['plan_base 300', 'credit -300'],
      ['plan_base 300', 'credit -300'],
    ]);
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await creditsOf(consumer)).toMatchObject([{ amount: 961, remainingAmount: 961, source: 'api' }]);
    await expectLedgerBalanced(t);
  });

  test('grants customer credit after the end of the subscription, and waives a charge', async () => {
    const consumer = await createCallsConsumer();
    await track(consumer, { value: 5_537 });
    const id = await track(consumer, { value: 500 });
    await advanceDays(shop, 31);
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    const { body } = await replace(id, { value: 100 });
    expect(body).toMatchObject({ amount: -340 });
    expect(await creditsOf(consumer)).toMatchObject([{ amount: 340, source: 'api' }]);
    const { id: next } = body['replacement'] as { readonly id: string };
    expect((await replace(next, { value: 300 })).body).toMatchObject({ amount: 170 });
    expect(await creditsOf(consumer)).toHaveLength(1);
    await expectLedgerBalanced(t);
  });

  test.each([
    ['max', [3, 9, 5], 1, 5],
    ['latest', [3, 9, 5], 2, 9],
    ['percentile', [3, 9, 5], 1, 5],
  ] as const)('calculates %s again from the stored events', async (aggregation, values, index, total) => {
    const consumer = await createCallsConsumer({
      meter: { aggregation, ...(aggregation === 'percentile' ? { percentile: 100 } : {}) },
      terms: { includedAmount: 1, overage: { enabled: true, unitPrice: 10_000 } },
    });
    const ids: string[] = [];
    for (const value of values) ids.push(await track(consumer, { value }));
    await advanceDays(shop, 31);
    const before = aggregation === 'latest' ? 5 : 9;
    expect(await latestLines(consumer)).toEqual(['plan_base 2000', `feature_overage ${(before - 1) * 100}`]);
    expect((await voidEvent(ids[index] ?? '')).body).toMatchObject({
      difference: total - before,
      amount: (total - before) * 100,
    });
  });

  test('is rejected 400 days after the event, and changes nothing', async () => {
    const consumer = await createCallsConsumer();
    const id = await track(consumer, { value: 6_037 });
    await advanceDays(shop, 401);
    expect(await voidEvent(id)).toMatchObject(tooOld);
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 2000']);
  });

  test('changes no amount of a window that was not charged, and replaces none of its events', async () => {
    const consumer = await createCallsConsumer();
    const id = await track(consumer, { value: 6_037 });
    await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/cancel`, { immediate: true });
    expect(await replace(id, { value: 1 })).toMatchObject(tooOld);
    expect((await voidEvent(id)).body).toMatchObject({ difference: -6_037, amount: 0 });
    expect(await creditsOf(consumer)).toEqual([]);
  });
});

describe('a correction of prepaid usage in an ended usage window', () => {
  test('returns the deduction to the lots that are left', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    const lot = { asset: 'credits', amount: 100, priority: 0 };
    const granted = await shop.rest('POST', `/customers/${consumer.customerId}/lots`, lot);
    expect(granted.status, JSON.stringify(granted.body)).toBe(201);
    const id = await track(consumer, { value: 95 });
    expect((await consumptionOf(shop, consumer)).credits).toBe(75n);
    await advanceDays(shop, 31);
    const after = (await consumptionOf(shop, consumer)).credits;
    const { body } = await voidEvent(id);
    expect(body).toMatchObject({ amount: 0, waived: 0 });
    const { credits, entries } = await consumptionOf(shop, consumer);
    expect((credits ?? 0n) - (after ?? 0n)).toBe(BigInt(-Number(body['deducted'])));
    expect(entries?.credits).toBe(credits);
    await expectLedgerBalanced(t);
  });

  test('deducts the higher price of a replacement from the current lots, and waives the rest', async () => {
    const consumer = await createCreditsConsumer(shop, 640, 7);
    const id = await track(consumer, { value: 10 });
    await advanceDays(shop, 31);
    expect((await replace(id, { value: 90 })).body).toMatchObject({
      deducted: 560,
      waived: 0,
      difference: 80,
    });
    expect((await consumptionOf(shop, consumer)).credits).toBe(80n);
    const next = await track(consumer, { value: 1 });
    await advanceDays(shop, 31);
    expect((await replace(next, { value: 101 })).body).toMatchObject({ deducted: 640, waived: 60 });
    await expectLedgerBalanced(t);
  });

  test('credits a negative balance that was billed', async () => {
    const consumer = await createBalanceConsumer(shop, 420_000, false);
    const id = await track(consumer, { value: 9_149 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toContain('balance_overage 375');
    expect((await replace(id, { value: 9_000 })).body).toMatchObject({ amount: -75, deducted: 0 });
    await expectLedgerBalanced(t);
  });

  /** Creates a consumer with 40 credits a month, whose credits below zero cost 0.0125 each. */
  async function createOverdrawnConsumer(): Promise<Consumer> {
    const consumer = await createCreditsConsumer(shop, 40, 1);
    const pool = { onEmpty: 'overdraw', overdraftRate: '0.0125' };
    const { status } = await shop.rest('PUT', `/plans/${consumer.planId}/pools/credits`, pool);
    expect(status).toBe(200);
    return consumer;
  }

  test('credits the overdraft of a custom unit that was billed (PRM-143)', async () => {
    const consumer = await createOverdrawnConsumer();
    await track(consumer, { value: 57 });
    const id = await track(consumer, { value: 43 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toContain('balance_overage 75');
    const { body } = await replace(id, { value: 30 });
    expect(body).toMatchObject({ difference: -13, amount: -16, deducted: 0, waived: 0 });
    const { id: next } = body['replacement'] as { readonly id: string };
    expect((await voidEvent(next)).body).toMatchObject({ difference: -30, amount: -38, deducted: 0 });
    expect((await consumptionOf(shop, consumer)).credits).toBe(40n);
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 4900', 'credit -16', 'credit -38']);
    await expectLedgerBalanced(t);
  });

  test('credits the overdraft, and returns the rest to the lots that the event drew on', async () => {
    const consumer = await createOverdrawnConsumer();
    const terms = { price: 1_000, grant: 50, asset: 'credits', validMonths: 12 };
    const path = `/subscriptions/${consumer.subscriptionId}/commitments`;
    expect((await shop.rest('POST', path, terms)).status).toBe(201);
    await track(consumer, { value: 40 });
    const id = await track(consumer, { value: 70 });
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toContain('balance_overage 25');
    expect((await voidEvent(id)).body).toMatchObject({ amount: -25, deducted: -50 });
    expect((await consumptionOf(shop, consumer)).credits).toBe(90n);
    await advanceDays(shop, 31);
    expect(await latestLines(consumer)).toEqual(['plan_base 4900', 'credit -25']);
    await expectLedgerBalanced(t);
  });

  describe('with a lot that was used up before the usage window ended', () => {
    const credits = async (consumer: Consumer) => (await consumptionOf(shop, consumer)).credits;
    const inDays = async (days: number): Promise<string> => {
      const { body } = await shop.rest<{ now: string }>('GET', '/test-clock');
      return new Date(new Date(body.now).getTime() + days * 86_400_000).toISOString();
    };

    /** Creates a consumer with 40 credits a month who used them and the whole amount of a lot of 25 credits. */
    async function createUsedUp(lot: Body = {}) {
      const consumer = await createCreditsConsumer(shop, 40, 1);
      const path = `/customers/${consumer.customerId}/lots`;
      const granted = await shop.rest('POST', path, { asset: 'credits', amount: 25, ...lot });
      expect(granted.status, JSON.stringify(granted.body)).toBe(201);
      const id = await track(consumer, { value: 65 });
      return { consumer, id, lotId: String(granted.body['id']) };
    }

    test('returns the deduction to the lot', async () => {
      const { consumer, id } = await createUsedUp();
      await advanceDays(shop, 31);
      expect(await credits(consumer)).toBe(40n);
      expect((await voidEvent(id)).body).toMatchObject({ amount: 0, deducted: -25, waived: 0 });
      const after = await consumptionOf(shop, consumer);
      expect([after.credits, after.entries?.credits]).toEqual([65n, 65n]);
      await track(consumer, { value: 65 });
      expect(await credits(consumer)).toBe(0n);
      await expectLedgerBalanced(t);
    });

    test('lets the returned amount expire at the end of the lot', async () => {
      const { consumer, id, lotId } = await createUsedUp({ expiresAt: await inDays(80) });
      await advanceDays(shop, 31);
      expect((await voidEvent(id)).body).toMatchObject({ deducted: -25 });
      await advanceDays(shop, 48);
      expect(await credits(consumer)).toBe(65n);
      await advanceDays(shop, 2);
      expect(await credits(consumer)).toBe(40n);
      const events = await t.app.database.query<{ data: Body }>(
        `SELECT data FROM "Event" WHERE kind::text = 'lot.expired' AND "customerId" = $1`,
        [consumer.customerId],
      );
      expect(events).toMatchObject([{ data: { lotId, amount: 25 } }]);
      await expectLedgerBalanced(t);
    });

    test('returns nothing after the end of the lot, or after its revocation', async () => {
      const ended = await createUsedUp({ expiresAt: await inDays(20) });
      const revoked = await createUsedUp();
      expect(await shop.rest('POST', `/lots/${revoked.lotId}/revoke`)).toMatchObject({ status: 200 });
      await advanceDays(shop, 31);
      for (const { consumer, id } of [ended, revoked]) {
        expect((await voidEvent(id)).body).toMatchObject({ deducted: 0, waived: 0 });
        expect(await credits(consumer)).toBe(40n);
      }
      await expectLedgerBalanced(t);
    });

    test('returns nothing to purchased credits after their full refund', async () => {
      const consumer = await createCreditsConsumer(shop, 40, 1);
      const pack = { name: 'Refundable', credits: 25, price: 900, refundTakesBack: true };
      const { body } = await shop.rest('POST', '/credit-packs', pack);
      await shop.rest('POST', `/subscriptions/${consumer.subscriptionId}/credits`, {
        creditPackId: body['id'],
      });
      const paid = await latestTransaction(shop, consumer.subscriptionId);
      const id = await track(consumer, { value: 65 });
      await advanceDays(shop, 31);
      expect(await shop.rest('POST', `/transactions/${paid}/refund`)).toMatchObject({ status: 200 });
      expect((await voidEvent(id)).body).toMatchObject({ deducted: 0, waived: 0 });
      expect(await credits(consumer)).toBe(40n);
      await expectLedgerBalanced(t);
    });
  });
});
