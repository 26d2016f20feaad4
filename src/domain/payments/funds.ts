// Funds of an organization at the platform's own processor, in US cents (PAY-35). Settled charges increase
// the funds; refunds and disputes reduce them. Charges through other connections, or with an unknown value
// in US dollars, are excluded (PAY-16, PAY-24).
import { divideRounded } from '../money/money.ts';
import type { TransactionRow } from '../rows/rows.ts';

type Charge = Pick<
  TransactionRow,
  'provider' | 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'amountMinor' | 'refundedMinor'
>;

/** Fields that determine the value of a charge in US dollars. */
type ChargeValue = Pick<Charge, 'provider' | 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor'>;

/**
 * Returns the net amount of a charge: the gross amount minus the fee and, on the platform's processor, the
 * tax that the platform remits (PAY-25). `null` if the value is unknown.
 */
export function netUsdMinor({
  provider,
  grossUsdMinor,
  taxUsdMinor,
  feeUsdMinor,
}: ChargeValue): bigint | null {
  if (grossUsdMinor === null) return null;
  return grossUsdMinor - feeUsdMinor - (provider === 'platform' ? (taxUsdMinor ?? 0n) : 0n);
}

/**
 * Returns the gross amount of a charge on the platform's processor. `null` if another processor made the
 * charge.
 */
const heldGross = ({ provider, grossUsdMinor }: ChargeValue): bigint | null =>
  provider === 'platform' ? grossUsdMinor : null;

/**
 * Returns the amount that a settled charge adds to the funds. At least 0, even if fee and tax exceed a small
 * gross amount.
 */
export function capturedUsdMinor(charge: ChargeValue): bigint {
  const net = heldGross(charge) === null ? null : netUsdMinor(charge);
  return net === null || net < 0n ? 0n : net;
}

/**
 * Returns the fee on a settled charge through the platform's processor, in US cents. `null` if another
 * processor made the charge, or if the value is unknown.
 */
export const platformFeeUsdMinor = ({
  availableAt,
  grossUsdMinor,
  feeUsdMinor,
}: Pick<TransactionRow, 'availableAt' | 'grossUsdMinor' | 'feeUsdMinor'>): bigint | null =>
  availableAt === null || grossUsdMinor === null ? null : feeUsdMinor;

/**
 * Returns the refunded part of an amount in US cents, rounded half up. Returns the full amount after a full
 * refund.
 */
const returnedOf = (usdMinor: bigint, { amountMinor, refundedMinor }: Charge): bigint =>
  refundedMinor === 0n ? 0n : divideRounded(usdMinor * refundedMinor, amountMinor);

/**
 * Returns the amount that a charge's refunds deduct from the funds: the refunded amount without tax, because
 * the platform holds the tax. Fees aren't returned.
 */
export function refundedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : returnedOf(gross - (charge.taxUsdMinor ?? 0n), charge);
}

/** Returns the disputed amount of a charge: the amount that wasn't refunded, including tax (PAY-32). */
export function disputedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : gross - returnedOf(gross, charge);
}
