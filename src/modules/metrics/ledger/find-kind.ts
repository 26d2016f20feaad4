import type { Account } from '../../../domain/ledger/post.ts';

export type AccountKind = 'asset' | 'liability' | 'income' | 'expense' | 'funds';

const kinds: Readonly<Record<Account, AccountKind>> = {
  receivable: 'asset',
  customer_credit: 'liability',
  reserved_credit: 'liability',
  plan_credits: 'liability',
  purchased_credits: 'liability',
  balance: 'liability',
  revenue: 'income',
  tax_payable: 'liability',
  processor_clearing: 'asset',
  fees: 'expense',
  merchant_pending: 'funds',
  merchant_available: 'funds',
  payouts_in_transit: 'funds',
  write_off: 'expense',
  offers_given: 'expense',
  settled_outside: 'asset',
  disputes_held: 'asset',
  merchant_frozen: 'funds',
  merchant_settlement: 'funds',
  paid_out: 'funds',
  customer_money: 'liability',
  receipts_held: 'asset',
  unmatched_money: 'liability',
};

/** Returns the type of a ledger account. Throws if no account has the given name. */
export function kindOfAccount(name: string): AccountKind {
  const kind = (kinds as Readonly<Record<string, AccountKind>>)[name];
  if (kind === undefined) throw new Error(`The ledger has no account ${name}.`);
  return kind;
}
