import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { MovableClock } from '../../../support/billing-world.ts';
import { eventually } from '../../../support/eventually.ts';
import type { Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveShop, openPayouts } from '../../../support/payouts.ts';
import { openProcessor, type Processor } from '../../../support/processor.ts';
import { rejection } from '../../../support/refusals.ts';

// Live payouts through a remote provider (PAY-36 … PAY-40). The money is sent once, and returned once if it doesn't arrive, regardless of
// the order, delay, and number of responses.

// March 1, 2027 is a Monday.
const began = '2027-03-01T10:00:00.000Z';
const wall = new MovableClock(began);
const later = (minutes: number): string => new Date(Date.parse(began) + minutes * 60_000).toISOString();

type Balance = { available: number; inTransit: number };
type Payout = {
  id: string;
  status: string;
  failureCode: string | null;
  failureMessage: string | null;
  isCancelRequested: boolean;
};
type RequestRow = {
  asks: number;
  inquireAt: Date | null;
  repeats: number;
  contradiction: { status: string } | null;
};

let processor: Processor;
let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  processor = await openProcessor();
  t = await startApp({ wall, env: { PLATFORM_PROCESSOR_URL: processor.url, WORKER_POLL_MS: '100' } });
});
beforeEach(async () => {
  wall.set(began);
  processor.bank.plays('accepts');
  shop = await liveShop(t);
  await openPayouts(shop, 48_210n);
});
afterEach(async () => {
  const ledger = '{ ledgerVerify { ok mismatches { account expected actual } } }';
  const { ledgerVerify } = await t.graphql<{ ledgerVerify: unknown }>(ledger, {}, { key: shop.key });
  expect(ledgerVerify).toEqual({ ok: true, mismatches: [] });
});
afterAll(async () => {
  await t.close();
  await processor.close();
});

const ask = async (amount = 30_000): Promise<string> => {
  const { status, body } = await shop.rest<{ id: string; status: string }>('POST', '/payouts', { amount });
  expect([status, body.status]).toEqual([201, 'pending']);
  return body.id;
};
const fields = 'id status failureCode failureMessage isCancelRequested arrivesBy';
const find = async (id: string): Promise<Payout> =>
  (
    await t.graphql<{ payout: Payout }>(
      `query ($id: ID!) { payout(id: $id) { ${fields} } }`,
      { id },
      { key: shop.key },
    )
  ).payout;
const cancelField = `mutation ($id: ID!) { payoutCancel(input: { id: $id }) { ${fields} } }`;
const cancel = async (id: string): Promise<Payout> =>
  (await t.graphql<{ payoutCancel: Payout }>(cancelField, { id }, { key: shop.key })).payoutCancel;
const balance = async (): Promise<Balance> =>
  (
    await t.graphql<{ payoutBalance: Balance }>(
      '{ payoutBalance { available inTransit } }',
      {},
      { key: shop.key },
    )
  ).payoutBalance;
const requestOf = async (id: string): Promise<RequestRow> => {
  const text =
    'SELECT asks, "inquireAt", repeats, contradiction FROM "ProviderRequest" WHERE "environmentId" = $1 AND id = $2';
  const [row] = await t.app.database.query<RequestRow>(text, [shop.environmentId, id]);
  if (row === undefined) throw new Error(`${id} was never asked for.`);
  return row;
};
const events = async (): Promise<(readonly [string, Record<string, unknown>])[]> => {
  const text = `SELECT kind, data FROM "Event" WHERE "environmentId" = $1 ORDER BY position`;
  const rows = await t.app.database.query<{ kind: string; data: Record<string, unknown> }>(text, [
    shop.environmentId,
  ]);
  return rows.map(({ kind, data }) => [kind, data] as const);
};
const kinds = async (): Promise<string[]> => (await events()).map(([kind]) => kind);
const callsAbout = (id: string): string[] =>
  processor.calls.filter((call) => call.includes(id)).map((call) => call.replace(` ${id}`, ' '));

/** Waits until the provider has been called this many times and its response has been applied. */
const requested = (id: string, times: number): Promise<boolean> =>
  eventually(async () => (await requestOf(id)).asks >= times);

const settled = (id: string, status: string): Promise<boolean> =>
  eventually(async () => (await find(id)).status === status);

/** Sets the provider's decision, and makes the worker request that decision. */
async function decide(
  id: string,
  minutes: number,
  news: Parameters<Processor['bank']['decides']>[1],
): Promise<void> {
  processor.bank.decides(id, news);
  wall.set(later(minutes));
  await settled(id, news.status);
}

/** Waits until the provider has received the payout request. */
const arrived = (id: string): Promise<boolean> => eventually(() => processor.bank.made.has(id));

describe('a live payout', () => {
  test("is sent to the provider with its own ID after the commit, and follows the provider's status until the money arrives (PAY-37)", async () => {
    const id = await ask();
    // A payout of 300.00 leaves 182.10 of the balance of 482.10 (PAY-E5).
    expect(await balance()).toEqual({ available: 18_210, inTransit: 30_000 });
    await arrived(id);
    const { order, folder } = processor.bank.made.get(id) ?? {};
    expect([folder, order]).toEqual([
      'payouts',
      {
        id,
        transferId: expect.stringMatching(/^tr_/),
        amountMinor: '30000',
        currency: 'usd',
        description: null,
        bankAccount: {
          id: `pba_${shop.environmentId}`,
          holderName: 'Shop',
          number: '123456789',
          routingNumber: null,
          country: 'US',
          currency: 'usd',
          accountType: null,
        },
      },
    ]);
    // The period of seven business days after Monday, March 1 ends on Wednesday, March 10.
    expect(await find(id)).toMatchObject({ status: 'pending', arrivesBy: '2027-03-11T00:00:00.000Z' });
    await decide(id, 1, { status: 'in_transit' });
    expect(await balance()).toEqual({ available: 18_210, inTransit: 30_000 });
    await decide(id, 5, { status: 'paid' });
    expect(await balance()).toEqual({ available: 18_210, inTransit: 0 });
    expect(await kinds()).toEqual(['payout.created', 'payout.paid']);
    expect((await events())[1]?.[1]).toMatchObject({
      payoutId: id,
      amount: 30_000,
      fee: 0,
      netAmount: 30_000,
      status: 'paid',
      paidAt: later(5),
    });
    expect(callsAbout(id)).toEqual(['PUT ', 'GET ', 'GET ']);
    // No further inquiry is scheduled.
    expect((await requestOf(id)).inquireAt).toBeNull();
  });

  test('is returned to the balance with the reason if the bank rejects it (PAY-E5)', async () => {
    const id = await ask();
    await arrived(id);
    await decide(id, 1, { status: 'failed', code: 'could_not_process', message: 'Try again.' });
    expect(await find(id)).toMatchObject({
      status: 'failed',
      failureCode: 'could_not_process',
      failureMessage: 'Try again.',
    });
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
    expect(await kinds()).toEqual(['payout.created', 'payout.failed']);
    expect((await events())[1]?.[1]).toMatchObject({
      failureCode: 'could_not_process',
      failureMessage: 'Try again.',
      failedAt: later(1),
    });
    const rejectedOf = async (amount: number) =>
      (await shop.rest<{ error: { code: string } }>('POST', '/payouts', { amount })).body.error.code;
    expect([await rejectedOf(999), await rejectedOf(50_000)]).toEqual([
      'validation_error',
      'insufficient_balance',
    ]);
    // The bank account didn't cause the failure, so it remains usable.
    expect((await shop.rest('POST', '/payouts', { amount: 1_000 })).status).toBe(201);
  });

  test('is returned to the balance if it fails in transit (PAY-37)', async () => {
    const id = await ask();
    await arrived(id);
    await decide(id, 1, { status: 'in_transit' });
    await decide(id, 5, { status: 'failed', code: 'declined' });
    expect(await find(id)).toMatchObject({
      failureCode: 'declined',
      failureMessage: 'The bank rejected the payout.',
    });
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
  });

  test('triggers provider inquiries after 1, 5, 15, and 60 minutes, then hourly, until its status is final (PAY-37)', async () => {
    const id = await ask();
    const dueAfter: number[] = [];
    for (const [index, minutes] of [1, 5, 15, 60, 120].entries()) {
      await requested(id, index + 1);
      dueAfter.push((((await requestOf(id)).inquireAt?.getTime() ?? 0) - Date.parse(began)) / 60_000);
      wall.set(later(minutes));
    }
    expect(dueAfter).toEqual([1, 5, 15, 60, 120]);
    await requested(id, 6);
    await decide(id, 180, { status: 'paid' });
    expect(await kinds()).toEqual(['payout.created', 'payout.paid']);
  });

  test.each(['loses', 'breaks'] as const)(
    "is sent again with the same ID if the provider doesn't know it after a fault (%s) (PAY-37)",
    async (script) => {
      processor.bank.plays(script, 'accepts');
      const id = await ask();
      await requested(id, 1);
      expect(processor.bank.made.has(id)).toBe(false);
      wall.set(later(1));
      await arrived(id);
      expect(callsAbout(id)).toEqual(['PUT ', 'GET ', 'PUT ']);
      await decide(id, 5, { status: 'paid' });
      expect([...processor.bank.made.keys()].filter((one) => one === id)).toEqual([id]);
    },
  );

  test("isn't sent again if the provider accepted it but the response was lost (PAY-37)", async () => {
    processor.bank.plays('accepts silently');
    const id = await ask();
    await arrived(id);
    await decide(id, 1, { status: 'paid' });
    expect(callsAbout(id)).toEqual(['PUT ', 'GET ']);
  });

  test('keeps its first final status, and only records a later response that contradicts it (PAY-37)', async () => {
    const id = await ask();
    await arrived(id);
    await decide(id, 1, { status: 'paid' });
    const before = [await balance(), await kinds()];
    // Simulates a second process that requests the status after the provider has changed its response.
    await t.app.database.query(
      'UPDATE "ProviderRequest" SET "inquireAt" = $3 WHERE "environmentId" = $1 AND id = $2',
      [shop.environmentId, id, wall.now()],
    );
    processor.bank.decides(id, { status: 'failed', code: 'no_account' });
    await shop.rest('POST', '/payouts', { amount: 1_000 });
    await eventually(async () => (await requestOf(id)).repeats > 0);
    expect(await requestOf(id)).toMatchObject({
      repeats: 1,
      contradiction: { status: 'failed', code: 'no_account' },
    });
    expect((await find(id)).status).toBe('paid');
    expect([(await balance()).available + 1_000, (await kinds()).slice(0, 2)]).toEqual([
      (before[0] as Balance).available,
      before[1],
    ]);
  });
});

describe('a payout cancellation (PAY-37)', () => {
  test('cancels the payout at the provider before the payout is in transit, and restores the balance', async () => {
    const id = await ask();
    await arrived(id);
    expect(await cancel(id)).toMatchObject({ status: 'pending', isCancelRequested: true });
    expect(await balance()).toEqual({ available: 18_210, inTransit: 30_000 });
    await settled(id, 'canceled');
    expect(await find(id)).toMatchObject({ isCancelRequested: false, failureCode: null });
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
    expect([callsAbout(id), await kinds()]).toEqual([
      ['PUT ', 'POST /cancel'],
      ['payout.created', 'payout.canceled'],
    ]);
    expect(await rejection(t, cancelField, { id }, { key: shop.key })).toMatchObject({
      code: 'validation_error',
    });
  });

  test('fails if the payout is already in transit, and leaves it unchanged', async () => {
    const id = await ask();
    await arrived(id);
    processor.bank.decides(id, { status: 'in_transit' });
    expect(await cancel(id)).toMatchObject({ status: 'pending' });
    await settled(id, 'in_transit');
    expect(await find(id)).toMatchObject({ isCancelRequested: false });
    expect(await rejection(t, cancelField, { id }, { key: shop.key })).toMatchObject({
      code: 'validation_error',
    });
    await decide(id, 1, { status: 'paid' });
    expect(await balance()).toEqual({ available: 18_210, inTransit: 0 });
  });

  test('stops a payout that the provider never received', async () => {
    processor.bank.plays('loses', 'accepts');
    const id = await ask();
    await requested(id, 1);
    await cancel(id);
    await settled(id, 'canceled');
    expect(processor.bank.made.get(id)).toMatchObject({ status: 'canceled', order: {} });
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
  });

  test('takes effect once for repeated requests', async () => {
    const id = await ask();
    await arrived(id);
    const answers = await Promise.all([1, 2, 3].map(() => cancel(id).catch(() => null)));
    expect(
      answers.filter((answer) => answer !== null && !['pending', 'canceled'].includes(answer.status)),
    ).toEqual([]);
    await settled(id, 'canceled');
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
    expect(await kinds()).toEqual(['payout.created', 'payout.canceled']);
  });
});

describe('a bank account (PAY-39)', () => {
  const accounts = async (): Promise<unknown[]> => {
    const text = '{ payoutBankAccounts { edges { node { last4 status isDefault } } } }';
    type Found = { payoutBankAccounts: { edges: { node: unknown }[] } };
    return (await t.graphql<Found>(text, {}, { key: shop.key })).payoutBankAccounts.edges.map(
      ({ node }) => node,
    );
  };

  test("can't be used after it caused a payout to fail, and is replaced by the next bank account", async () => {
    const id = await ask();
    await arrived(id);
    await decide(id, 1, { status: 'failed', code: 'account_closed', message: 'The account is closed.' });
    expect(await accounts()).toEqual([{ last4: '6789', status: 'errored', isDefault: true }]);
    const rejected = await shop.rest<{ error: { code: string } }>('POST', '/payouts', { amount: 1_000 });
    expect([rejected.status, rejected.body.error.code]).toEqual([403, 'forbidden']);
    expect(await balance()).toEqual({ available: 48_210, inTransit: 0 });
    await shop.rest('POST', '/payouts/bank-accounts', {
      accountNumber: '000111222333',
      accountHolderName: 'Shop',
    });
    expect(await accounts()).toEqual([
      { last4: '2333', status: 'active', isDefault: true },
      { last4: '6789', status: 'errored', isDefault: false },
    ]);
    const next = await ask();
    await arrived(next);
    expect(processor.bank.made.get(next)?.order).toMatchObject({ bankAccount: { number: '000111222333' } });
  });
});
