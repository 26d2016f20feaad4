// What a settled charge is worth to the organization (PAY-23 … PAY-25): US dollars, the fee, and when the
// funds can be withdrawn.
import { feeOn } from '../../fees.ts';
import { dayMs } from '../../period.ts';
import { usdMinor } from '../../pricing/regional.ts';
import { exchangeRateAt } from '../../pricing/resolve.ts';
import type { Draft } from '../state/draft.ts';
import type { InvoiceRow, TransactionRow } from '../state/rows.ts';

type Settlement = Pick<TransactionRow, 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'availableAt'>;

/** The figures of an attempt that has not settled: only a charge in US dollars is known in US cents. */
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

/**
 * The figures of an attempt that settles now. Other currencies are exchanged at the rate of the
 * subscription's plan; without one they stay unknown in US cents and bear no fee. Fees and the hold are those
 * of the platform's own processor (PAY-16).
 */
export function settlementOf(draft: Draft, transaction: TransactionRow): Settlement {
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
