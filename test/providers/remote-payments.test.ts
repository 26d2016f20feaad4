import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../support/billing-world.ts';
import {
  createPayer,
  createPayment,
  type MadePayment,
  otherShop,
  payment,
  requested,
  type Shop,
} from '../support/factories.ts';
import { startApp, type TestApp } from '../support/harness.ts';
import {
  attemptsAt,
  booksBalance,
  customersWith,
  inquiriesMade,
  openLink,
  seePayment,
  tryLink,
} from '../support/links.ts';
import { chargingSandboxes, openProcessor, type Processor } from '../support/processor.ts';

// Links and charges through a remote payment provider (PAY-4, PAY-7, BIL-32). At most one charge is made, regardless of the order, delay,
// and number of results.

const began = '2027-01-31T09:30:00.000Z';
const wall = new MovableClock(began);
const email = 'new@payer.test';

let processor: Processor;
let t: TestApp;
let shop: Shop;
let takenBefore = 0;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({
    wall,
    env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' },
    gateways: chargingSandboxes,
  });
});
beforeEach(async () => {
  wall.set(began);
  processor.plays('settles');
  shop = await otherShop(t);
  takenBefore = processor.taken().length;
});
afterEach(async () => {
  processor.answerLate();
  await booksBalance(shop);
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

type Row = Record<string, unknown>;

const taken = (): string[] => processor.taken().slice(takenBefore);
const pay = (link: MadePayment): Promise<string> => tryLink(shop, link, undefined, { email });
const attemptRows = (): Promise<
  { id: string; repeats: number; inquireAt: Date | null; contradiction: unknown }[]
> =>
  t.app.database.query(
    `SELECT id, repeats, "inquireAt", contradiction FROM "ChargeAttempt" WHERE "environmentId" = $1 ORDER BY "createdAt", id`,
    [shop.environmentId],
  );
async function inquired(minutes: number): Promise<void> {
  wall.set(new Date(Date.parse(began) + minutes * 60_000).toISOString());
  await inquiriesMade(shop);
}
/** Resets an idempotency record as though the process had ended before responding. The next request with the key continues the attempt. */
const abandon = (key: string) =>
  t.app.database.query(
    `UPDATE "IdempotencyKey" SET state = 'applied', "leaseUntil" = "createdAt" WHERE "environmentId" = $1 AND id LIKE '%' || $2`,
    [shop.environmentId, key],
  );

describe('a payment link', () => {
  test("is paid with one provider request, and then rejects other payers because it's already paid", async () => {
    const link = await createPayment(shop);
    const before = processor.calls.length;
    expect(await pay(link)).toBe('paid');
    expect(processor.calls.slice(before)).toEqual([expect.stringMatching(/^PUT txn_/)]);
    expect(await seePayment(shop, link.id)).toMatchObject({
      status: 'succeeded',
      provider: 'platform',
      invoice: { total: 4_200 },
    });
    expect(await openLink(shop, link)).toEqual({
      status: 'succeeded',
      nextStep: 'none',
      publishableKey: null,
      clientSecret: null,
    });
    expect([await pay(link), taken()]).toEqual(['no_outstanding_invoice', ['4200']]);
  });

  test.each(['settles silently', 'loses', 'breaks'] as const)(
    'stays in processing after a provider fault (%s), and is then paid exactly once with the same ID',
    async (script) => {
      processor.plays(script, 'settles');
      const link = await createPayment(shop);
      expect(await pay(link)).toBe('charge_in_progress');
      expect(await openLink(shop, link)).toMatchObject({ status: 'processing', nextStep: 'wait' });
      expect(await pay(link)).toBe('charge_in_progress');
      expect(await shop.rest('POST', `/payments/${link.id}/cancel`)).toMatchObject({
        status: 409,
        body: { error: { code: 'payment_not_cancelable' } },
      });
      await inquired(1);
      expect([await attemptsAt(shop, link.id), taken(), await customersWith(shop, email)]).toEqual([
        ['succeeded'],
        ['4200'],
        1,
      ]);
      expect(await seePayment(shop, link.id)).toMatchObject({
        status: 'succeeded',
        invoice: { status: 'paid', total: 4_200 },
      });
    },
  );

  test('can be paid again if the provider inquiry reports a declined charge whose response was lost', async () => {
    processor.plays('declines silently', 'settles');
    const link = await createPayment(shop);
    expect(await pay(link)).toBe('charge_in_progress');
    await inquired(1);
    expect(await seePayment(shop, link.id)).toMatchObject({
      status: 'failed',
      failureCode: 'card_declined',
      customerId: null,
    });
    expect([await pay(link), await attemptsAt(shop, link.id), taken()]).toEqual([
      'paid',
      ['failed', 'succeeded'],
      ['4200'],
    ]);
  });

  test('stays in processing and rejects other payments until the provider reports the outcome', async () => {
    processor.plays('works');
    const link = await createPayment(shop);
    expect(await pay(link)).toBe('charge_in_progress');
    for (const minutes of [1, 5, 60, 120]) {
      await inquired(minutes);
      expect([(await seePayment(shop, link.id)).status, await pay(link)]).toEqual([
        'processing',
        'charge_in_progress',
      ]);
    }
    processor.decides((await attemptRows())[0]?.id ?? '', { status: 'settled' });
    await inquired(180);
    expect([await attemptsAt(shop, link.id), taken()]).toEqual([['succeeded'], ['4200']]);
  });

  test.each([
    ['the same', undefined, null],
    ['a different', { status: 'declined', declineCode: 'card_declined' }, { status: 'declined' }],
  ] as const)(
    "isn't changed by %s response that arrives after the provider inquiry",
    async (_which, late, contradiction) => {
      processor.plays('settles late');
      const link = await createPayment(shop);
      const paying = pay(link);
      await processor.received(processor.calls.length + 1);
      await inquired(1);
      processor.answerLate(late);
      expect(await paying).toBe('paid');
      expect(await attemptRows()).toMatchObject([{ inquireAt: null, repeats: 1, contradiction }]);
      expect([await attemptsAt(shop, link.id), taken()]).toEqual([['succeeded'], ['4200']]);
    },
  );

  test('is completed when the request is repeated after an interruption (A4)', async () => {
    processor.plays('settles silently');
    const { id, token } = await createPayment(shop);
    const operation = 'mutation ($input: PaymentLinkPayInput!) { paymentLinkPay(input: $input) { status } }';
    const send = () =>
      t.graphql(
        operation,
        { input: { ...payment(token), email } },
        { key: null, headers: { 'idempotency-key': 'link-1' } },
      );
    await expect(send()).rejects.toThrow('charge_in_progress');
    await abandon('link-1');
    expect(await send()).toEqual({ paymentLinkPay: { status: 'paid' } });
    expect(await send()).toEqual({ paymentLinkPay: { status: 'paid' } });
    expect([await attemptsAt(shop, id), taken(), await customersWith(shop, email)]).toEqual([
      ['succeeded'],
      ['4200'],
      1,
    ]);
  });
});

describe('a charge to a stored card', () => {
  const charge = (customerId: string, headers: Record<string, string> = {}) =>
    shop.rest<Row & { error: { code: string; details: Row } }>(
      'POST',
      '/payments/charge',
      requested({ customerId }),
      { headers },
    );

  test.each(['settles silently', 'loses', 'breaks'] as const)(
    'stays in processing after a provider fault (%s), and is then made exactly once',
    async (script) => {
      const { customerId } = await createPayer(shop);
      processor.plays(script, 'settles');
      const { status, body } = await charge(customerId);
      expect([status, body['status']]).toEqual([201, 'processing']);
      await inquired(1);
      expect(await seePayment(shop, String(body['id']))).toMatchObject({
        status: 'succeeded',
        invoice: { status: 'paid', total: 4_200 },
      });
      expect(taken()).toEqual(['4200', '4200']);
    },
  );

  test("is canceled at the provider if it requires authentication, and can't be completed later (PAY-7)", async () => {
    const { customerId } = await createPayer(shop);
    processor.plays('asks');
    const { status, body } = await charge(customerId);
    expect([status, body.error]).toMatchObject([
      402,
      { code: 'payment_failed', details: { reason: 'requires_action' } },
    ]);
    expect(processor.calls.at(-1)).toMatch(/cancel$/);
    expect(await seePayment(shop, String(body.error.details['paymentId']))).toMatchObject({
      status: 'requires_action',
      invoice: null,
    });
    expect(taken()).toEqual(['4200']);
  });

  test('continues with the same payment when the request is repeated after an interruption (A4)', async () => {
    const { customerId } = await createPayer(shop);
    processor.plays('settles silently');
    const headers = { 'idempotency-key': 'charge-1' };
    const first = await charge(customerId, headers);
    expect(first.body).toMatchObject({ status: 'processing' });
    await abandon('charge-1');
    const again = await charge(customerId, headers);
    expect([again.status, again.body]).toMatchObject([201, { id: first.body['id'], status: 'succeeded' }]);
    expect((await charge(customerId, headers)).body).toEqual(again.body);
    const { body } = await shop.rest<{ data: Row[] }>('GET', `/payments?customerId=${customerId}`);
    expect([body.data.length, taken()]).toEqual([2, ['4200', '4200']]);
  });
});
