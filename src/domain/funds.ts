// The organization's money on the platform's own rail, in US cents (PAY-35): what a settled charge brings it, and what refunds and disputes
// take from it again. Charges of other connections, and those nobody knows the worth of in US dollars, bring nothing here (PAY-16, PAY-24).
import { divideRounded } from './money.ts';
import type { TransactionRow } from './subscription/rows.ts';

type Charge = Pick<TransactionRow, 'provider' | 'grossUsdMinor' | 'taxUsdMinor' | 'feeUsdMinor' | 'amountMinor' | 'refundedMinor'>;

/** What is left of a charge after the fee and, on the platform's rail, the tax it remits (PAY-25); null while its worth is not known. */
export function netUsdMinor({ provider, grossUsdMinor, taxUsdMinor, feeUsdMinor }: Charge): bigint | null {
  if (grossUsdMinor === null) return null;
  return grossUsdMinor - feeUsdMinor - (provider === 'platform' ? (taxUsdMinor ?? 0n) : 0n);
}

/** The gross of a charge in the platform's hands; null for all others. */
const heldGross = ({ provider, grossUsdMinor }: Charge): bigint | null => (provider === 'platform' ? grossUsdMinor : null);

/** What a settled charge brings: its net, and never less than nothing where fee and tax exceed a tiny gross. */
export function capturedUsdMinor(charge: Charge): bigint {
  const net = heldGross(charge) === null ? null : netUsdMinor(charge);
  return net === null || net < 0n ? 0n : net;
}

/** What of an amount in US cents the refunds of a charge have returned, rounded half up; all of it once everything is. */
const returnedOf = (usdMinor: bigint, { amountMinor, refundedMinor }: Charge): bigint =>
  refundedMinor === 0n ? 0n : divideRounded(usdMinor * refundedMinor, amountMinor);

/** What the refunds of a charge have cost the organization: their share without the tax, which the platform has not remitted; fees are not returned. */
export function refundedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : returnedOf(gross - (charge.taxUsdMinor ?? 0n), charge);
}

/** What a dispute of a charge is over: all that refunds have not returned, tax included (PAY-32). */
export function disputedUsdMinor(charge: Charge): bigint {
  const gross = heldGross(charge);
  return gross === null ? 0n : gross - returnedOf(gross, charge);
}
