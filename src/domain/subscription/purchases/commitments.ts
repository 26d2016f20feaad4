// Prepaid commitments: purchased lots with a term, which can roll over once or renew at the end of the term (PRM-24).

import { commitmentEvent, type EventCommitment } from '../../events/commitment-events.ts';
import type { Bought } from '../../invoicing/purchase.ts';
import { closeLot, moveEnd, purchaseUnits } from '../../lots/movements.ts';
import { moneyPool, poolOfAsset } from '../../pricing/pools.ts';
import { explain } from '../../rows/explanation.ts';
import type { CommitmentPurchase, CommitmentTerms } from '../../rows/purchase-rows.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import type { LotRow } from '../../rows/usage-rows.ts';
import { addMonths } from '../../time/period.ts';
import { accountOf, applyRaise, moveAccount } from '../allowances/allowance.ts';
import { removeFromLot } from '../allowances/remove-from-lot.ts';
import type { Draft } from '../state/draft.ts';

/** Description of a commitment whose purchase contains no description. */
const defaultDescription = 'Prepaid commitment';

const endOf = ({ anchor, validMonths, term }: CommitmentTerms): Date =>
  addMonths(new Date(anchor), validMonths * term);

/** Returns the purchase of a commitment, for `buy`. */
export const commitmentBought = (commitment: CommitmentPurchase['commitment']): Bought => ({
  type: 'credit_purchase',
  description: commitment.description ?? defaultDescription,
  price: explain('PRM-24', 'price', { price: BigInt(commitment.price) }),
  purchase: { commitment },
});

/** Adds the lot of a paid commitment, whose first term starts now, and emits `commitment.purchased`. */
export function addCommitment(
  draft: Draft,
  subscription: SubscriptionRow,
  invoice: InvoiceRow,
  { commitment: bought }: CommitmentPurchase,
): void {
  const { appliesTo, price, validMonths, atEnd, autoRenew, asset, amount, description } = bought;
  const { anchor = draft.now.toISOString(), term = 1 } = bought;
  const commitment = { appliesTo, price, validMonths, atEnd, autoRenew, anchor, term };
  const payment = {
    id: draft.newId('cmt'),
    sourceId: invoice.id,
    description: description ?? defaultDescription,
    paidMinor: invoice.subtotal,
    expiresAt: endOf(commitment),
    commitment,
  };
  const pool = appliesTo === 'usage' ? poolOfAsset(asset) : moneyPool;
  const account = applyRaise(draft, subscription);
  const moved = purchaseUnits(account, pool, BigInt(amount), payment);
  moveAccount(draft, subscription, moved, payment);
  for (const lot of moved.lots)
    if (lot.sourceId === invoice.id)
      draft.emit(
        commitmentEvent('commitment.purchased', { customer: draft.customer, subscription }, lot, invoice),
      );
}

/** Reason for the end of a commitment. */
export type CommitmentEnding = 'expired' | 'payment_failed' | 'subscription_canceled';

/** Emits `commitment.ended`. */
export function announceEnd(
  draft: Draft,
  subscription: SubscriptionRow,
  lot: EventCommitment,
  reason: CommitmentEnding,
): void {
  const consumer = { customer: draft.customer, subscription };
  draft.emit(commitmentEvent('commitment.ended', consumer, lot, null, reason));
}

/**
 * Ends a term: the rest stays for one more term, or expires and the lot closes. Returns true if the lot closed.
 */
export function endTerm(
  draft: Draft,
  subscription: SubscriptionRow,
  lot: LotRow & { readonly commitment: CommitmentTerms },
  sourceId: string,
): boolean {
  const { commitment } = lot;
  const account = accountOf(draft, subscription);
  if (commitment.atEnd === 'roll_once' && lot.remaining > 0n) {
    const next: CommitmentTerms = {
      ...commitment,
      term: commitment.term + 1,
      atEnd: 'expire',
      autoRenew: false,
      ...(commitment.autoRenew && { isRest: true }),
    };
    const moved = moveEnd(account, lot, endOf(next), next);
    moveAccount(draft, subscription, moved, { sourceId, description: null });
    return false;
  }
  const closed = closeLot(account, lot, 'expiry');
  removeFromLot(draft, subscription, lot, closed, { kind: 'lot.expired', sourceId });
  return true;
}

type Terms = CommitmentPurchase['commitment'];

/** Purchase of a commitment at the end of its term. */
type Renewal = Required<Terms>;

export const isRenewal = (bought: Terms): bought is Renewal => bought.renews !== undefined;

/** Returns the ended commitment that an invoice would have renewed. */
export const renewedBy = (renewal: Renewal, { subtotal }: InvoiceRow): EventCommitment => ({
  id: renewal.renews,
  asset: renewal.asset,
  amount: BigInt(renewal.amount),
  remaining: BigInt(renewal.remaining),
  paidMinor: subtotal,
  commitment: renewal,
  expiresAt: endOf({ ...renewal, term: renewal.term - 1 }),
});

/** Returns the purchase that renews a commitment for the following term. */
export const renewalOf = ({
  id,
  asset,
  amount,
  remaining,
  description,
  commitment: { isRest: _isRest, ...terms },
}: LotRow & { readonly commitment: CommitmentTerms }): Bought =>
  commitmentBought({
    ...terms,
    term: terms.term + 1,
    asset,
    amount: String(amount),
    description,
    renews: id,
    remaining: String(remaining),
  });
