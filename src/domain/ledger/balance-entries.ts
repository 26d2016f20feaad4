// What changed the money an organization can pay out, as its own list (PAY-35).
import type { LedgerFact } from './post.ts';

/** The facts that change the available balance, by what callers know them as. */
export const balancePostings = {
  released: 'funds.released',
  refunded: 'funds.refunded',
  disputed: 'funds.frozen',
  dispute_won: 'funds.unfrozen',
  paid_out: 'payout.requested',
  payout_returned: 'payout.returned',
} as const satisfies Readonly<Record<string, LedgerFact>>;

/** Why the available balance changed. */
export type BalanceEntryKind = keyof typeof balancePostings;

const kinds: ReadonlyMap<string, BalanceEntryKind> = new Map(
  Object.entries(balancePostings).map(([kind, fact]) => [fact, kind as BalanceEntryKind]),
);

/** Why a transfer changed the available balance. Throws for a fact that does not. */
export function balanceKindOf(fact: string): BalanceEntryKind {
  const kind = kinds.get(fact);
  if (kind === undefined) throw new Error(`The fact ${fact} does not change the available balance.`);
  return kind;
}

/** What a transfer added to the available balance, US cents; negative for what it took. */
export const balanceChange = ({
  debitAccount,
  amountMinor,
}: {
  readonly debitAccount: string;
  readonly amountMinor: bigint;
}): bigint => (debitAccount === 'merchant_available' ? amountMinor : -amountMinor);
