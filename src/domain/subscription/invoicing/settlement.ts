// Settlement of a charge for the organization (PAY-23 … PAY-25): the charge's US dollar value, the fee, and the
// availability time of the funds.
import { feeOn } from '../../money/fees.ts';
import { usdMinor } from '../../pricing/regional.ts';
import { exchangeRateAt } from '../../pricing/resolve.ts';
import type { InvoiceRow, TransactionRow } from '../../rows/rows.ts';
import { dayMs } from '../../time/period.ts';
import type { Draft } from '../state/draft.ts';

type Settlement = Pick<TransactionRow, 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'availableAt'>;

/**
 * Returns the settlement fields of an unsettled transaction. The value in US cents is known only for charges
 * in US dollars.
 */
export const unsettled = ({
  currency,
  total,
  taxAmount,
}: Pick<InvoiceRow, 'currency' | 'total' | 'taxAmount'>) => ({
  grossUsdMinor: currency === 'usd' ? total : null,
  taxUsdMinor: currency === 'usd' ? taxAmount : null,
  feeUsdMinor: 0n,
  refundedMinor: 0n,
});

/** Money of a receipt arrives in the organization's own bank account, so it's no part of the funds and has no fee. */
const outsideFunds: Settlement = {
  grossUsdMinor: null,
  taxUsdMinor: null,
  feeUsdMinor: 0n,
  availableAt: null,
};

/**
 * Returns the settlement fields of a transaction that settles now. Converts other currencies at the exchange
 * rate of the subscription's plan. Without a rate, the value in US cents is unknown and no fee applies. Fees
 * and the hold period apply only to the platform's own processor (PAY-16).
 */
export function settlementOf(draft: Draft, transaction: TransactionRow): Settlement {
  if (transaction.receiptId !== null) return outsideFunds;
  const { settlement } = draft.aggregate.environment;
  const isOwnPlatformProcessor = transaction.provider === 'platform';
  const grossUsdMinor = inUsd(draft, transaction, transaction.amountMinor);
  return {
    grossUsdMinor,
    taxUsdMinor: inUsd(draft, transaction, transaction.taxMinor),
    feeUsdMinor: isOwnPlatformProcessor && grossUsdMinor !== null ? feeOn(grossUsdMinor, settlement) : 0n,
    availableAt: isOwnPlatformProcessor
      ? new Date(draft.now.getTime() + settlement.availableAfterDays * dayMs)
      : null,
  };
}

function inUsd(
  draft: Draft,
  { currency, subscriptionId }: TransactionRow,
  amountMinor: bigint,
): bigint | null {
  if (currency === 'usd') return amountMinor;
  const subscription = subscriptionId === null ? null : draft.subscriptions.find(subscriptionId);
  const rateE8 =
    subscription === null
      ? null
      : exchangeRateAt(draft.aggregate.catalog, subscription.planId, currency, draft.dueAt);
  return rateE8 === null ? null : usdMinor(amountMinor, rateE8, currency);
}
