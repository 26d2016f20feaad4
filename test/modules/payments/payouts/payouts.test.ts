import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createPayment, firstShop, payLink, type Shop } from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { liveShop, openPayouts } from '../../../support/payouts.ts';
import { rejection } from '../../../support/refusals.ts';
import { advance, expectLedgerBalanced, setClock } from '../../../support/stories.ts';

type Balance = { pending: number; available: number; frozen: number; inTransit: number };
type Payout = { id: string; status: string; failureCode: string | null };
type Rejected = { readonly error: { code: string; param?: string } };

const simulate =
  'mutation ($amount: SafeInt!) { payoutSimulate(input: { amount: $amount }) { id status amount fee netAmount } }';
const outcome = `mutation ($input: PayoutOutcomeSimulateInput!) { payoutOutcomeSimulate(input: $input) { id status failureCode } }`;
const dispute =
  'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { id } }';

describe('the payout balance', () => {
  let t: TestApp;
  let shop: Shop;
  const balance = async (): Promise<Balance> =>
    (await t.graphql<{ payoutBalance: Balance }>('{ payoutBalance { pending available frozen inTransit } }'))
      .payoutBalance;
  const take = async (amount: number): Promise<Payout> =>
    (await t.graphql<{ payoutSimulate: Payout }>(simulate, { amount })).payoutSimulate;
  const payout = async (id: string): Promise<Payout> =>
    (
      await t.graphql<{ payout: Payout }>('query ($id: ID!) { payout(id: $id) { id status failureCode } }', {
        id,
      })
    ).payout;
  const funds = async () => {
    const rows = await t.app.database.query<{
      kind: string;
      data: Record<string, unknown>;
      occurredAt: Date;
    }>(
      `SELECT kind, data, "occurredAt" FROM "Event" WHERE "environmentId" = $1 AND kind LIKE 'payout.%' ORDER BY position`,
      [shop.environmentId],
    );
    return rows.map(({ kind, data, occurredAt }) => [
      occurredAt.toISOString().slice(0, 10),
      kind,
      data['availableAmount'] ?? data['amount'],
    ]);
  };
  const charge = async (amount: number, number?: string): Promise<string> => {
    const { id, token } = await createPayment(shop, { amount });
    await payLink(shop, token, { email: `p${amount}@payer.test` }, number);
    const { payment } = await t.graphql<{ payment: { transactions: { id: string }[] } }>(
      'query ($id: ID!) { payment(id: $id) { transactions { id } } }',
      { id },
    );
    return payment.transactions[0]?.id ?? '';
  };

  beforeAll(async () => {
    // Fee of 5% + 0.50 per charge, and a one-week hold (PAY-E3).
    t = await startApp({ env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50' } });
    shop = firstShop(t);
    await setClock(t, '2027-03-01T10:00:00Z');
  });
  afterAll(async () => {
    await expectLedgerBalanced(t);
    await t.close();
  });

  it('includes a charge as pending until the first daily release after the hold, and is paid out as the test clock advances (PAY-35, PAY-36, PAY-37)', async () => {
    // 1,000.00 − (50.00 + 0.50) = 949.50, held until Monday, March 8, 10:00 and released on March 9.
    await charge(100_000);
    expect(await balance()).toEqual({ pending: 94_950, available: 0, frozen: 0, inTransit: 0 });
    await advance(t, { frozenTime: '2027-03-08T23:59:59Z' });
    expect(await balance()).toMatchObject({ pending: 94_950, available: 0 });
    await advance(t, { frozenTime: '2027-03-11T12:00:00Z' });
    expect(await balance()).toEqual({ pending: 0, available: 94_950, frozen: 0, inTransit: 0 });
    // Requested on Thursday, March 11, in transit on Friday, March 12, and paid on Tuesday, March 16.
    const { id } = await take(30_000);
    expect(await balance()).toEqual({ pending: 0, available: 64_950, frozen: 0, inTransit: 30_000 });
    await advance(t, { frozenTime: '2027-03-12T00:00:00Z' });
    expect((await payout(id)).status).toBe('in_transit');
    await advance(t, { frozenTime: '2027-03-15T23:59:59Z' });
    expect((await payout(id)).status).toBe('in_transit');
    await advance(t, { advanceDays: 30 });
    expect((await payout(id)).status).toBe('paid');
    expect(await balance()).toEqual({ pending: 0, available: 64_950, frozen: 0, inTransit: 0 });
    expect(await funds()).toEqual([
      ['2027-03-09', 'payout.available', 94_950],
      ['2027-03-11', 'payout.created', 30_000],
      ['2027-03-16', 'payout.paid', 30_000],
    ]);
  });

  it('is restored once after a payout is canceled or rejected by the bank (PAY-37, PAY-E5)', async () => {
    const { available } = await balance();
    const rejected = await take(30_000);
    await t.graphql(outcome, { input: { id: rejected.id, outcome: 'in_transit' } });
    const failed = await t.graphql<{ payoutOutcomeSimulate: Payout }>(outcome, {
      input: { id: rejected.id, outcome: 'failed' },
    });
    expect(failed.payoutOutcomeSimulate).toMatchObject({ status: 'failed', failureCode: 'bank_rejected' });
    expect((await balance()).available).toBe(available);
    expect(await rejection(t, outcome, { input: { id: rejected.id, outcome: 'paid' } })).toMatchObject({
      code: 'validation_error',
    });
    const withdrawn = await take(1_000);
    const cancel = 'mutation ($id: ID!) { payoutCancel(input: { id: $id }) { status } }';
    expect(await t.graphql(cancel, { id: withdrawn.id })).toEqual({ payoutCancel: { status: 'canceled' } });
    expect(await rejection(t, cancel, { id: withdrawn.id })).toMatchObject({ code: 'validation_error' });
    expect((await balance()).available).toBe(available);
    expect(await rejection(t, cancel, { id: 'po_none' })).toMatchObject({ code: 'not_found' });
  });

  it("can't be paid out above the available balance or below the minimum (PAY-36, PAY-E5)", async () => {
    const { available } = await balance();
    expect(await rejection(t, simulate, { amount: available + 1 })).toMatchObject({
      code: 'insufficient_balance',
    });
    expect(await rejection(t, simulate, { amount: 999 })).toMatchObject({ code: 'validation_error' });
  });

  it('is reduced by a dispute, and restored only if the dispute is won (PAY-32, PAY-E7)', async () => {
    const { available } = await balance();
    const won = await charge(6_150, '4000000000000259');
    expect(await balance()).toMatchObject({ available: available - 6_150, frozen: 6_150 });
    await t.graphql(dispute, { input: { id: won, outcome: 'won' } });
    expect(await balance()).toMatchObject({ available, frozen: 0 });
    const lost = await charge(6_150, '4000000000000259');
    await t.graphql(dispute, { input: { id: lost, outcome: 'lost' } });
    expect(await balance()).toMatchObject({ available: available - 6_150, frozen: 0 });
  });

  it("becomes negative after refunds that exceed it, which blocks payouts until it's covered (PAY-40)", async () => {
    const { available } = await balance();
    await take(available);
    const refunded = await charge(20_000);
    await shop.rest('POST', `/transactions/${refunded}/refund`);
    expect((await balance()).available).toBe(-20_000);
    expect(await rejection(t, simulate, { amount: 1_000 })).toMatchObject({ code: 'insufficient_balance' });
    await advance(t, { advanceDays: 9 });
    // 200.00 minus a fee of 10.50, and 61.50 minus a fee of 3.58 (3.075 + 0.50) for each of the two disputed charges: −200.00 + 189.50 + 2
    // × 57.92.
    expect((await balance()).available).toBe(-20_000 + 18_950 + 2 * 5_792);
  });

  it("can't be paid out with sandbox keys (PAY-36)", async () => {
    for (const [path, body] of [
      ['/payouts', { amount: 1_000 }],
      ['/payouts/bank-accounts', { accountNumber: '0001234', accountHolderName: 'Acme' }],
    ] as const) {
      const answer = await shop.rest<Rejected>('POST', path, body);
      expect([answer.status, answer.body.error.code]).toEqual([403, 'payouts_not_available_in_sandbox']);
    }
    const retired = await shop.rest<Rejected>('POST', '/payouts/verification');
    expect([retired.status, retired.body.error.code]).toEqual([410, 'endpoint_deprecated']);
  });

  it('is paid out in the live environment after verification, with a bank account (PAY-36, PAY-38, PAY-39)', async () => {
    const live = await liveShop(t);
    const ask = (amount: number) =>
      live.rest<Rejected & Record<string, unknown>>('POST', '/payouts', { amount });
    const account = {
      accountNumber: 'DE89 3704 0044 0532 0130 00',
      accountHolderName: 'Acme',
      accountType: 'checking',
    };
    expect((await ask(1_000)).body.error.code).toBe('forbidden');
    expect((await live.rest<Rejected>('POST', '/payouts/bank-accounts', account)).body.error.code).toBe(
      'forbidden',
    );
    await openPayouts(live, 48_210n);
    const added = await live.rest('POST', '/payouts/bank-accounts', { ...account, setDefault: true });
    expect(added.status).toBe(201);
    expect(added.body).toMatchObject({
      last4: '3000',
      holderName: 'Acme',
      country: 'US',
      currency: 'usd',
      isDefault: true,
      status: 'active',
    });
    expect(JSON.stringify(added.body)).not.toContain('0532');
    const [stored] = await t.app.database.query<{ row: string }>(
      `SELECT to_jsonb(b)::text AS row FROM "PayoutBankAccount" b WHERE id = $1`,
      [added.body['id']],
    );
    expect(stored?.row).not.toContain('37040044');
    // A payout of 300.00 leaves 182.10 of the balance of 482.10 (PAY-E5).
    const made = await ask(30_000);
    expect([made.status, made.body]).toMatchObject([
      201,
      { status: 'pending', amount: 30_000, fee: 0, netAmount: 30_000, currency: 'usd' },
    ]);
    expect((await ask(18_211)).body.error).toMatchObject({ code: 'insufficient_balance', param: 'amount' });
    const { payout: shown } = await t.graphql<{ payout: unknown }>(
      'query ($id: ID!) { payout(id: $id) { bankAccount { last4 isDefault } } }',
      { id: made.body['id'] },
      { key: live.key },
    );
    expect(shown).toEqual({ bankAccount: { last4: '3000', isDefault: true } });
  });
});
