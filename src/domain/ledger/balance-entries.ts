// Changes to an organization's available balance, which can be paid out (PAY-35).
import type { LedgerFact } from './post.ts';

/** Ledger facts that change the available balance, by the name that the API uses. */
export const balancePostings = {
  released: 'funds.released',
  refunded: 'funds.refunded',
  payment_returned: 'funds.returned',
  disputed: 'funds.frozen',
  dispute_won: 'funds.unfrozen',
  paid_out: 'payout.requested',
  payout_returned: 'payout.returned',
} as const satisfies Readonly<Record<string, LedgerFact>>;

export type BalanceEntryKind = keyof typeof balancePostings;

const kinds: ReadonlyMap<string, BalanceEntryKind> = new Map(
  Object.entries(balancePostings).map(([kind, fact]) => [fact, kind as BalanceEntryKind]),
);

/**
 * Returns the name that the API uses for a fact that changes the available balance. Throws for other facts.
 */
export function balanceKindOf(fact: string): BalanceEntryKind {
  const kind = kinds.get(fact);
  if (kind === undefined) throw new Error(`The fact ${fact} does not change the available balance.`);
  return kind;
}

/**
 * Returns the amount that a transfer adds to the available balance, in US cents. Negative if the transfer
 * reduces the balance.
 */
export const balanceChange = ({
  debitAccount,
  amountMinor,
}: {
  readonly debitAccount: string;
  readonly amountMinor: bigint;
}): bigint => (debitAccount === 'merchant_available' ? amountMinor : -amountMinor);
