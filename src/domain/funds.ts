// The organization's money on the platform's own processor, in US cents (PAY-35): added by settled charges,
// reduced by refunds and disputes. Charges of other connections, and those without a known value in US
// dollars, add nothing (PAY-16, PAY-24).
import { divideRounded } from './money.ts';
import type { TransactionRow } from './subscription/state/rows.ts';

type Charge = Pick<
  TransactionRow,
  'provider' | 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'amountMinor' | 'refundedMinor'
>;

/** What a charge is worth. */
type Worth = Pick<Charge, 'provider' | 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor'>;

/**
 * What is left of a charge after the fee and, on the platform's processor, the tax it remits (PAY-25); null
 * while its value is unknown.
 */
export function netUsdMinor({ provider, grossUsdMinor, taxUsdMinor, feeUsdMinor }: Worth): bigint | null {
  if (grossUsdMinor === null) return null;
  return grossUsdMinor - feeUsdMinor - (provider === 'platform' ? (taxUsdMinor ?? 0n) : 0n);
}

/** The gross of a charge in the platform's hands; null for all others. */
const heldGross = ({ provider, grossUsdMinor }: Worth): bigint | null =>
  provider === 'platform' ? grossUsdMinor : null;

/** What a settled charge adds: its net, at least 0 where fee and tax exceed a small gross. */
export function capturedUsdMinor(charge: Worth): bigint {
  const net = heldGross(charge) === null ? null : netUsdMinor(charge);
  return net === null || net < 0n ? 0n : net;
}

/** The fee kept of a charge that settled on the platform's processor, US cents; null for all others, and while its value is unknown. */
export const keptFeeUsdMinor = ({
  availableAt,
  grossUsdMinor,
  feeUsdMinor,
}: Pick<TransactionRow, 'availableAt' | 'grossUsdMinor' | 'feeUsdMinor'>): bigint | null =>
  availableAt === null || grossUsdMinor === null ? null : feeUsdMinor;

/** The refunded share of an amount in US cents, rounded half up. All of it after a full refund. */
const returnedOf = (usdMinor: bigint, { amountMinor, refundedMinor }: Charge): bigint =>
  refundedMinor === 0n ? 0n : divideRounded(usdMinor * refundedMinor, amountMinor);

/**
 * What the refunds of a charge cost the organization: their amount without the tax, which the platform has
 * not remitted. Fees are not returned.
 */
export function refundedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : returnedOf(gross - (charge.taxUsdMinor ?? 0n), charge);
}

/** The disputed amount of a charge: all that refunds have not returned, tax included (PAY-32). */
export function disputedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : gross - returnedOf(gross, charge);
}
