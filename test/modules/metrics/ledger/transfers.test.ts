import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  clockSettled,
  createActiveSubscription,
  createSubscription,
  otherShop,
} from '../../../support/factories.ts';
import { startApp, type TestApp } from '../../../support/harness.ts';

let t: TestApp;
beforeAll(async () => {
  t = await startApp();
});
afterAll(() => t.close());

type Transfer = {
  readonly fact: string;
  readonly amount: number;
  readonly debitAccount: string;
  readonly creditAccount: string;
  readonly invoice: { readonly id: string } | null;
  readonly subscription: { readonly id: string } | null;
  readonly transaction: { readonly id: string } | null;
};
const fields = 'fact amount debitAccount creditAccount invoice { id } subscription { id } transaction { id }';
const query = `query ($filter: LedgerTransferFilter) { ledgerTransfers(filter: $filter) { nodes { ${fields} } } }`;

test('ledger accounts and transfers link to their objects', async () => {
  const shop = await otherShop(t);
  await shop.rest('POST', '/test-clock', { frozenTime: '2027-01-31T10:00:00Z' });
  await clockSettled(shop);
  const paid = await createActiveSubscription(shop);
  const open = await createSubscription(shop, { price: 700 });
  const ask = <T>(text: string, variables: Record<string, unknown> = {}, key = shop.key): Promise<T> =>
    t.graphql<T>(text, variables, { key });
  const transfers = async (filter: Record<string, unknown>, key = shop.key): Promise<Transfer[]> =>
    (await ask<{ ledgerTransfers: { nodes: Transfer[] } }>(query, { filter }, key)).ledgerTransfers.nodes;

  const { ledgerAccounts } = await ask<{ ledgerAccounts: unknown[] }>(
    '{ ledgerAccounts { name kind currency debit credit balance } }',
  );
  const account = (name: string, kind: string, debit: number, credit: number) => ({
    name,
    kind,
    currency: 'usd',
    debit,
    credit,
    balance: debit - credit,
  });
  // 49.00 was invoiced and paid. The 7.00 of the unpaid checkout isn't outstanding (BIL-30).
  expect(ledgerAccounts).toEqual([
    account('merchant_pending', 'funds', 4_900, 0),
    account('merchant_settlement', 'funds', 0, 4_900),
    account('processor_clearing', 'asset', 4_900, 0),
    account('receivable', 'asset', 4_900, 4_900),
    account('revenue', 'income', 0, 4_900),
  ]);
  const { ledgerVerify, none } = await ask<{
    ledgerVerify: { ok: boolean; transferCount: number; checkedAt: string };
    none: unknown[];
  }>('{ ledgerVerify { ok transferCount checkedAt } none: ledgerAccounts(currency: eur) { name } }');
  expect(ledgerVerify).toMatchObject({ ok: true, transferCount: 3 });
  expect(Math.abs(Date.parse(ledgerVerify.checkedAt) - Date.now())).toBeLessThan(60_000);
  expect(none).toEqual([]);

  const all = await transfers({});
  expect(all.map(({ fact, amount }) => [fact, amount])).toEqual([
    ['funds.captured', 4_900],
    ['payment.settled', 4_900],
    ['invoice.issued', 4_900],
  ]);
  expect(all[1]).toEqual({
    fact: 'payment.settled',
    amount: 4_900,
    debitAccount: 'processor_clearing',
    creditAccount: 'receivable',
    invoice: { id: expect.stringMatching(/^inv_/) },
    subscription: { id: paid.id },
    transaction: { id: expect.stringMatching(/^txn_/) },
  });
  const [captured, settled, issued] = all;
  const ofOne = { subscriptionIds: [paid.id] };
  expect(await transfers(ofOne)).toEqual([captured, settled, issued]);
  expect(await transfers({ customerIds: [open.customerId] })).toEqual([]);
  expect(await transfers({ accounts: ['revenue'] })).toEqual([issued]);
  expect(await transfers({ facts: ['funds.captured'], currencies: ['usd'] })).toEqual([captured]);
  expect(await transfers({ transactionIds: [settled?.transaction?.id] })).toEqual([captured, settled]);
  expect(await transfers({ invoiceIds: [settled?.invoice?.id], accounts: ['receivable'] })).toEqual([
    settled,
    issued,
  ]);
  expect(await transfers({ occurredAt: { from: '2027-02-01T00:00:00Z' } })).toEqual([]);
  const { invoice } = await ask<{ invoice: { ledger: Transfer[] } }>(
    `query ($id: ID!) { invoice(id: $id) { ledger { ${fields} } } }`,
    { id: settled?.invoice?.id },
  );
  expect(invoice.ledger).toEqual([issued, settled, captured]);
  const stranger = await otherShop(t);
  expect(await transfers({}, stranger.key)).toEqual([]);
  expect(await transfers({ invoiceIds: [settled?.invoice?.id] }, stranger.key)).toEqual([]);
});
