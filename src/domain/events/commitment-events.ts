import { wireAmount } from '../money/money.ts';
import type { CustomerRow, InvoiceRow, SubscriptionRow } from '../rows/rows.ts';
import type { LotRow } from '../rows/usage-rows.ts';
import { type EventBody, shownCustomerId, shownNumber } from './event-data.ts';

type Owner = {
  readonly customer: Pick<CustomerRow, 'id' | 'externalId'>;
  readonly subscription: Pick<SubscriptionRow, 'id' | 'currency'>;
};

/** Fields of a commitment's lot in events. */
export type EventCommitment = Pick<
  LotRow,
  'id' | 'asset' | 'amount' | 'remaining' | 'paidMinor' | 'commitment' | 'expiresAt'
>;

/**
 * Returns the event for a prepaid commitment that was paid or ended (PRM-24). `amount` and `remaining` are in pool units;
 * `price` is in minor units. `remaining` is the amount before the end.
 */
export const commitmentEvent = (
  kind: 'commitment.purchased' | 'commitment.ended',
  { customer, subscription }: Owner,
  { id, asset, amount, remaining, paidMinor, commitment, expiresAt }: EventCommitment,
  invoice: InvoiceRow | null,
  reason?: string,
): EventBody => ({
  kind,
  subscriptionId: subscription.id,
  data: {
    subscriptionId: subscription.id,
    customerId: shownCustomerId(customer),
    commitmentId: id,
    asset,
    amount: wireAmount(amount),
    remaining: wireAmount(remaining),
    price: wireAmount(paidMinor ?? 0n),
    currency: subscription.currency,
    autoRenew: commitment?.autoRenew ?? false,
    expiresAt: expiresAt?.toISOString() ?? null,
    ...(invoice === null ? {} : { invoiceId: invoice.id, invoiceNumber: shownNumber(invoice) }),
    ...(reason === undefined ? {} : { reason }),
  },
});
