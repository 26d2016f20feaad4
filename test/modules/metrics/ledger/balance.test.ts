import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  advanceDays,
  clockSettled,
  createActiveSubscription,
  createDispute,
  latestTransaction,
  otherShop,
  type Shop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';
import { needsOneServer, plansAreRead } from '../../../support/nodes.ts';

// Changes to the available balance (PAY-35).

let t: TestApp;
let shop: Shop;
beforeAll(async () => {
  t = await startApp({
    env: { FEE_BASIS_POINTS: '500', FEE_FIXED_CENTS: '50', FUNDS_AVAILABLE_AFTER_DAYS: '2' },
  });
  shop = await otherShop(t);
});
afterAll(() => t.close());

type Entry = { readonly kind: string; readonly amount: number; readonly transaction: { id: string } | null };
type Payouts = { readonly payouts: { readonly nodes: readonly { readonly entries: readonly Entry[] }[] } };
type Page = {
  readonly nodes: readonly Entry[];
  readonly pageInfo: { readonly endCursor: string; readonly hasNextPage: boolean };
};
const run = <T>(query: string, variables: object = {}): Promise<T> =>
  t.graphql<T>(query, { ...variables }, { key: shop.key });
const list = async (variables: object = {}): Promise<Page> =>
  (
    await run<{ balanceEntries: Page }>(
      `query ($filter: BalanceEntryFilter, $first: Int, $after: String) { balanceEntries(filter: $filter, first: $first, after: $after) {
        nodes { kind amount transaction { id } } pageInfo { endCursor hasNextPage } } }`,
      variables,
    )
  ).balanceEntries;
const available = async (): Promise<number> =>
  (await run<{ payoutBalance: { available: number } }>('{ payoutBalance { available } }')).payoutBalance
    .available;

describe('the list of changes to the available balance', () => {
  test('adds up to the balance, and contains reasons and payments', async () => {
    const { id } = await createActiveSubscription(shop);
    const sold = await latestTransaction(shop, id);
    await advanceDays(shop, 4);
    await clockSettled(shop);
    const { id: disputed } = await createDispute(shop);
    const resolve =
      'mutation ($input: TransactionDisputeResolveInput!) { transactionDisputeResolve(input: $input) { id } }';
    await run(resolve, { input: { id: disputed, outcome: 'won' } });
    const refund = 'mutation ($input: TransactionRefundInput!) { transactionRefund(input: $input) { id } }';
    await run(refund, { input: { id: sold, amount: 900 } });
    await run('mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id } }', {
      input: { amount: 1_000 },
    });

    const { nodes } = await list();
    // 49.00 minus the fee of 5% + 0.50 was released. The other charge is still pending. Its dispute deducts the amount immediately, and
    // returns the amount when the dispute is won.
    expect(nodes.map(({ kind, amount }) => [kind, amount])).toEqual([
      ['paid_out', -1_000],
      ['refunded', -900],
      ['dispute_won', 4_900],
      ['disputed', -4_900],
      ['released', 4_605],
    ]);
    expect(nodes.map(({ transaction }) => transaction?.id ?? null)).toEqual([
      null,
      sold,
      disputed,
      disputed,
      null,
    ]);
    expect(nodes.reduce((sum, { amount }) => sum + amount, 0)).toBe(await available());
  });

  test('can be filtered by reason and time, and is paginated', async () => {
    const kinds = ['disputed', 'dispute_won'];
    expect((await list({ filter: { kinds } })).nodes.map(({ kind }) => kind)).toEqual([
      'dispute_won',
      'disputed',
    ]);
    const first = await list({ first: 2 });
    expect([first.nodes.length, first.pageInfo.hasNextPage]).toEqual([2, true]);
    const rest = await list({ first: 10, after: first.pageInfo.endCursor });
    expect(rest.nodes.map(({ kind }) => kind)).toEqual(['dispute_won', 'disputed', 'released']);
    expect(rest.pageInfo.hasNextPage).toBe(false);
    expect((await list({ filter: { to: '2020-01-01T00:00:00Z' } })).nodes).toEqual([]);
    expect((await list({ filter: { from: '2020-01-01T00:00:00Z' } })).nodes).toHaveLength(5);
    const { errors } = await t.graphqlFailure(
      '{ balanceEntries(filter: { kinds: [] }) { nodes { kind } } }',
      {},
      { key: shop.key },
    );
    expect(errors[0]?.extensions['code']).toBe('validation_error');
  });

  test('is available for each payout, with the changes since the previous payout', async () => {
    const [first] = (await list({ filter: { kinds: ['paid_out'] } })).nodes;
    expect(first?.amount).toBe(-1_000);
    await run('mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id } }', {
      input: { amount: 1_500 },
    });
    await advanceDays(shop, 10);
    await run('mutation ($input: PayoutSimulateInput!) { payoutSimulate(input: $input) { id } }', {
      input: { amount: 2_000 },
    });
    const { payouts } = await run<Payouts>('{ payouts { nodes { entries { kind amount } } } }');
    const made = payouts.nodes.map(({ entries }) => entries.map(({ kind, amount }) => `${kind} ${amount}`));
    expect(made).toEqual([
      ['paid_out -2000', 'released 4605'],
      ['paid_out -1500'],
      ['paid_out -1000', 'refunded -900', 'dispute_won 4900', 'disputed -4900', 'released 4605'],
    ]);
    const changes = payouts.nodes.flatMap(({ entries }) => entries.map(({ amount }) => amount));
    expect(changes.reduce((sum, amount) => sum + amount, 0)).toBe(await available());
    const short = await run<Payouts>('{ payouts { nodes { entries(first: 1) { kind amount } } } }');
    expect(short.payouts.nodes.map(({ entries }) => entries.length)).toEqual([1, 1, 1]);
    const { errors } = await t.graphqlFailure(
      '{ payouts { nodes { entries(first: 0) { kind } } } }',
      {},
      { key: shop.key },
    );
    expect(errors[0]?.extensions['code']).toBe('validation_error');
  });

  test.skipIf(needsOneServer(plansAreRead))(
    'is read with an index, regardless of the number of other ledger transfers',
    async () => {
      const plan = await t.app.database.transaction(async ({ query }) => {
        await query('SET LOCAL enable_seqscan = off');
        await query('SET LOCAL enable_sort = off');
        return query<{ 'QUERY PLAN': string }>(
          `EXPLAIN SELECT t.id FROM "LedgerTransfer" t WHERE t."environmentId" = $1
           AND (t."debitAccount" = 'merchant_available' OR t."creditAccount" = 'merchant_available')
         ORDER BY t."occurredAt" DESC, t.seq DESC LIMIT 26`,
          [shop.environmentId],
        );
      });
      const text = plan.map((row) => row['QUERY PLAN']).join('\n');
      expect(text).toContain('Index Scan Backward using "LedgerTransfer_available_idx"');
      expect(text).not.toContain('Sort');
    },
  );
});
