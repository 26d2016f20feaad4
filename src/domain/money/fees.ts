import { shareOf } from './money.ts';

/** Fee for charges on the platform's processor, and the hold period for the net amount. */
export type SettlementTerms = {
  /** Fee as a percentage of the gross amount, in basis points. */
  readonly feeBasisPoints: bigint;
  /** Fixed fee in addition to the percentage, in US cents. */
  readonly feeFixedUsdMinor: bigint;
  /** Number of whole days after the settlement until the funds can be paid out. */
  readonly availableAfterDays: number;
};

/** Returns the fee on a gross amount, in US cents. The fee is at most the gross amount (PAY-25). */
export function feeOn(grossUsdMinor: bigint, { feeBasisPoints, feeFixedUsdMinor }: SettlementTerms): bigint {
  const fee = shareOf(grossUsdMinor, feeBasisPoints) + feeFixedUsdMinor;
  return fee < grossUsdMinor ? fee : grossUsdMinor;
}
