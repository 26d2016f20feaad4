import { shareOf } from './money.ts';

/** The fee for a charge on the platform's processor, and how long the rest is held. */
export type SettlementTerms = {
  /** Share of the gross amount in basis points. */
  readonly feeBasisPoints: bigint;
  /** Added to the share, US cents. */
  readonly feeFixedUsdMinor: bigint;
  /** Whole days from the settlement until the funds can be withdrawn. */
  readonly availableAfterDays: number;
};

/** The fee on a gross amount in US cents, at most all of it (PAY-25). */
export function feeOn(grossUsdMinor: bigint, { feeBasisPoints, feeFixedUsdMinor }: SettlementTerms): bigint {
  const fee = shareOf(grossUsdMinor, feeBasisPoints) + feeFixedUsdMinor;
  return fee < grossUsdMinor ? fee : grossUsdMinor;
}
