// Lots that invoices draw on: customer credits (BIL-18, BIL-19, PRM-141), and prepaid commitments for usage lines (PRM-24). Amounts are in ten-thousandths of the
// currency unit, as in all lots, and always a whole number of minor units.
import { minOf, rateToMinor } from '../money/money.ts';
import { moneyPool } from '../pricing/pools.ts';
import type { CreditOrder } from '../rows/enums.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type Account, accountWith, isExpired, type LotContext, paysLines, withAmounts } from './account.ts';
import { byAge, inDrawOrder } from './order.ts';
import { type LotDraft, type Movement, Posting } from './posting.ts';

/** Returns true if the customer's invoices draw on the lot. */
export const isCredit = ({ source }: Pick<LotRow, 'source'>): boolean => source === 'customer_credit';

/**
 * Returns the account of a customer's credits in one currency. The account isn't stored, because all its changes lock
 * the customer.
 */
export function creditAccount(customerId: string, lots: readonly LotRow[], context: LotContext): Account {
  const open = lots.filter((lot) => isCredit(lot) && lot.isOpen && lot.asset === context.currency);
  const row = {
    id: customerId,
    seq: null,
    customerId,
    pools: {},
    updatedAt: context.now,
  };
  const amount = open.reduce((sum, { remaining }) => sum + remaining, 0n);
  return accountWith(withAmounts(row, moneyPool, { amount }), open, context);
}

/** Returns the amount of a credit that invoices can use at a given time, in minor units. 0 if the credit has expired. */
export const usableMinor = (
  lot: Pick<LotRow, 'asset' | 'remaining' | 'expiresAt' | 'endsWithWindow'>,
  at: Date,
): bigint => (isExpired(lot, at) ? 0n : rateToMinor(lot.remaining, lot.asset));

/** Returns the usable credits in a currency at a given time: oldest first, or the credit that ends next first. */
export function usableCredits(
  lots: readonly LotRow[],
  currency: string,
  at: Date,
  order: CreditOrder = 'oldest',
): LotRow[] {
  const usable = lots.filter((lot) => isCredit(lot) && lot.asset === currency && usableMinor(lot, at) > 0n);
  return order === 'oldest' ? usable.toSorted(byAge) : inDrawOrder(usable);
}

/** Returns the prepaid commitments of a subscription that usage lines in a currency draw on, in draw order (PRM-24). */
export const lineCommitments = (
  lots: readonly LotRow[],
  subscriptionId: string,
  currency: string,
): LotRow[] =>
  inDrawOrder(
    lots.filter(
      (lot) =>
        lot.subscriptionId === subscriptionId &&
        lot.isOpen &&
        paysLines(lot) &&
        lot.asset === currency &&
        lot.remaining > 0n,
    ),
  );

/** Amount used from a credit, in minor units. Positive. */
export type Draw = { readonly credit: LotRow; readonly amountMinor: bigint };

/**
 * Covers an amount in minor units with credits in the given order. If the credits aren't sufficient, the sum of the
 * used amounts is less than the given amount.
 */
export function drawDown(credits: readonly LotRow[], amountMinor: bigint): Draw[] {
  const draws: Draw[] = [];
  let open = amountMinor;
  for (const credit of credits) {
    if (open <= 0n) break;
    const draw = { credit, amountMinor: minOf(open, rateToMinor(credit.remaining, credit.asset)) };
    draws.push(draw);
    open -= draw.amountMinor;
  }
  return draws;
}

/** Adds a new credit to a customer's account. */
export function grantCredit(account: Account, credit: Omit<LotDraft, 'source'>): Movement {
  const posting = new Posting(account);
  posting.add(moneyPool, { ...credit, source: 'customer_credit' }, 'grant');
  return posting.movement;
}

/**
 * Changes the remaining amount of a lot because an invoice uses it (`applied`), a voided invoice returns it
 * (`reversed`), it's revoked, or it expires. Opens or closes the lot; a commitment stays open until its end. An amount
 * that returns to a lot that has already ended expires immediately (PRM-101).
 */
export function moveCredit(
  account: Account,
  credit: LotRow,
  type: 'applied' | 'reversed' | 'revoke' | 'expiry',
  change: bigint,
): Movement {
  const posting = new Posting(account);
  const isUse = type === 'applied' || type === 'reversed';
  const posted = posting.post(credit, type, change, {
    isOpen: credit.remaining + change > 0n || (credit.isOpen && credit.commitment !== null),
    drawnInWindow: isUse ? credit.drawnInWindow - change : credit.drawnInWindow,
  });
  if (!credit.isOpen && isExpired(posted, account.context.now)) posting.close(posted, 'expiry');
  return posting.movement;
}
