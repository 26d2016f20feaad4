// Changes to customer credits: granted, used by invoices, returned by voided invoices, revoked, or expired (BIL-18, BIL-19).
// Invoices use and return prepaid commitments in the same way (PRM-24).
import { usesOf } from '../../invoicing/customer-credits.ts';
import { postCredit } from '../../ledger/documents.ts';
import { type Account, lotContext } from '../../lots/account.ts';
import { creditAccount, grantCredit, isCredit, moveCredit } from '../../lots/credits.ts';
import { moveEnd } from '../../lots/movements.ts';
import { minorToRate, rateToMinor } from '../../money/money.ts';
import type { CreditUse, InvoiceLineRow, InvoiceRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { accountOf, moveAccount } from '../allowances/allowance.ts';
import { storeMovement } from '../allowances/store-movement.ts';
import type { Draft } from '../state/draft.ts';

/** Returns the customer's loaded credits. */
export const creditsOf = (draft: Draft): LotRow[] => draft.lots.all().filter(isCredit);

/** Returns a credit or commitment. Throws if it isn't loaded, which indicates a bug. */
function creditById(draft: Draft, id: string): LotRow {
  const credit = draft.lots.find(id);
  if (credit === null) throw new Error(`The credit ${id} of an invoice is not in the aggregate.`);
  return credit;
}

const accountFor = (draft: Draft, currency: string): Account =>
  creditAccount(
    draft.customer.id,
    draft.lots.all(),
    lotContext({ windowStart: null, windowEnd: null, currency }, draft),
  );

/**
 * Changes a credit or commitment by an amount in minor units, with its entries. Posts the amount of a credit that expires;
 * the price of a commitment is revenue since its purchase.
 */
function move(
  draft: Draft,
  credit: LotRow,
  type: Parameters<typeof moveCredit>[2],
  changeMinor: bigint,
  sourceId: string,
): void {
  const { asset, subscriptionId } = credit;
  const details = { sourceId, description: null };
  const change = minorToRate(changeMinor, asset);
  if (subscriptionId !== null) {
    const subscription = draft.subscriptions.get(subscriptionId);
    moveAccount(
      draft,
      subscription,
      moveCredit(accountOf(draft, subscription), credit, type, change),
      details,
    );
    return;
  }
  const movement = moveCredit(accountFor(draft, asset), credit, type, change);
  storeMovement(draft, null, movement, details);
  const expired = movement.entries.reduce(
    (sum, entry) => (entry.type === 'expiry' ? sum - entry.amount : sum),
    0n,
  );
  draft.ledger.push(
    ...postCredit('credit.expired', credit, rateToMinor(expired, asset), draft.newId, draft.now),
  );
}

/** Amounts of an invoice that credits and commitments paid for, in minor units. */
type UsedAmounts = { readonly credits: bigint; readonly commitments: bigint };

/** Returns the customer credit and the prepaid commitments that an invoice uses. */
export function amountsUsedBy(
  draft: Draft,
  { id }: Pick<InvoiceRow, 'id'>,
  uses: readonly CreditUse[] = draft.creditUses,
): UsedAmounts {
  let [credits, commitments] = [0n, 0n];
  for (const { invoiceId, creditId, amountMinor } of uses) {
    if (invoiceId !== id) continue;
    if (isCredit(creditById(draft, creditId))) credits += amountMinor;
    else commitments += amountMinor;
  }
  return { credits, commitments };
}

/** New customer credit. The amount is in minor units. */
export type NewCredit = Pick<LotRow, 'creditSource' | 'sourceId' | 'expiresAt'> & {
  readonly id: string;
  readonly amountMinor: bigint;
  readonly currency: string;
  readonly reason: string;
};

/** Grants a credit. The cause in the ledger is an unused part of a plan (`credit.prorated`), or a gift. */
export function addCredit(
  draft: Draft,
  { amountMinor, currency, reason, ...credit }: NewCredit,
  fact: 'credit.granted' | 'credit.prorated' = 'credit.granted',
): void {
  const amount = minorToRate(amountMinor, currency);
  const movement = grantCredit(accountFor(draft, currency), { ...credit, amount, description: reason });
  storeMovement(draft, null, movement, { sourceId: credit.sourceId ?? credit.id, description: null });
  draft.ledger.push(
    ...postCredit(
      fact,
      { customerId: draft.customer.id, asset: currency },
      amountMinor,
      draft.newId,
      draft.now,
    ),
  );
}

/**
 * Deducts the credits and commitments that the lines of a new invoice use. The ledger records the deduction with the invoice.
 */
export function deductCredits(draft: Draft, lines: readonly InvoiceLineRow[]): void {
  for (const { creditId, amountMinor, invoiceId } of usesOf(lines))
    move(draft, creditById(draft, creditId), 'applied', -amountMinor, invoiceId);
}

/** Moves the amounts that an invoice used back to their credits. */
function moveBack(draft: Draft, invoiceId: string, type: 'applied' | 'reversed'): void {
  for (const use of draft.creditUses)
    if (use.invoiceId === invoiceId)
      move(draft, creditById(draft, use.creditId), type, use.amountMinor, invoiceId);
}

/** Restores the credits that a revised invoice used, as if they had never been used. */
export const restoreCredits = (draft: Draft, invoiceId: string): void =>
  moveBack(draft, invoiceId, 'applied');

/** Reverses the use of credits and commitments by a voided invoice. An amount that returns to an expired lot expires immediately. */
export const returnCredits = (draft: Draft, invoiceId: string): void =>
  moveBack(draft, invoiceId, 'reversed');

/** Revokes part of a credit. In the ledger, the amount isn't owed anymore, or returns to the revenue that funded it. */
export function revokeCredit(
  draft: Draft,
  credit: LotRow,
  amountMinor: bigint,
  fact: 'credit.revoked' | 'credit.returned',
): void {
  move(draft, credit, 'revoke', -amountMinor, credit.id);
  draft.ledger.push(...postCredit(fact, credit, amountMinor, draft.newId, draft.now));
}

/** Restores the revoked part of a credit after the refund that revoked it was declined (PAY-28a). */
export function restoreRevokedCredit(draft: Draft, creditId: string, amountMinor: bigint): void {
  const credit = creditById(draft, creditId);
  move(draft, credit, 'revoke', amountMinor, creditId);
  draft.ledger.push(...postCredit('credit.prorated', credit, amountMinor, draft.newId, draft.now));
}

/** Expires the remaining amount of a credit at its end. */
export const expireCredit = (draft: Draft, credit: LotRow, deadlineId: string): void =>
  move(draft, credit, 'expiry', -rateToMinor(credit.remaining, credit.asset), deadlineId);

/** Changes the end of a credit. */
export const moveCreditEnd = (draft: Draft, credit: LotRow, expiresAt: Date | null): void =>
  storeMovement(draft, null, moveEnd(accountFor(draft, credit.asset), credit, expiresAt), {
    sourceId: null,
    description: null,
  });
