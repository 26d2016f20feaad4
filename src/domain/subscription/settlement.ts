// What a settled charge is worth to the organization (PAY-23 … PAY-25): US dollars, the fee, and when the funds can be withdrawn.
import { feeOn } from '../fees.ts';
import { dayMs } from '../period.ts';
import { usdMinor } from '../pricing/regional.ts';
import { exchangeRateAt } from '../pricing/resolve.ts';
import type { InvoiceRow, TransactionRow } from './rows.ts';
import type { Work } from './work.ts';

type Settlement = Pick<TransactionRow, 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'availableAt'>;

/** The figures of an attempt that has not settled: only a charge in US dollars is known in US cents. */
export const unsettled = ({ currency, total, taxAmount }: Pick<InvoiceRow, 'currency' | 'total' | 'taxAmount'>) => ({
  grossUsdMinor: currency === 'usd' ? total : null,
  taxUsdMinor: currency === 'usd' ? taxAmount : null,
  feeUsdMinor: 0n,
  refundedMinor: 0n,
});

/**
 * The figures of an attempt that settles now. Other currencies are exchanged at the rate of the subscription's plan; without one they stay
 * unknown in US cents and bear no fee. Fees and the hold are those of the platform's own rail (PAY-16).
 */
export function settlementOf(work: Work, transaction: TransactionRow): Settlement {
  const { settlement } = work.aggregate.environment;
  const isOwnRail = transaction.provider === 'platform';
  const grossUsdMinor = inUsd(work, transaction, transaction.amountMinor);
  return {
    grossUsdMinor,
    taxUsdMinor: inUsd(work, transaction, transaction.taxMinor),
    feeUsdMinor: isOwnRail && grossUsdMinor !== null ? feeOn(grossUsdMinor, settlement) : 0n,
    availableAt: isOwnRail ? new Date(work.now.getTime() + settlement.availableAfterDays * dayMs) : null,
  };
}

function inUsd(work: Work, { currency, subscriptionId }: TransactionRow, amountMinor: bigint): bigint | null {
  if (currency === 'usd') return amountMinor;
  const subscription = subscriptionId === null ? null : work.subscriptions.find(subscriptionId);
  const rateE8 = subscription === null ? null : exchangeRateAt(work.aggregate.catalog, subscription.planId, currency, work.dueAt);
  return rateE8 === null ? null : usdMinor(amountMinor, rateE8, currency);
}
