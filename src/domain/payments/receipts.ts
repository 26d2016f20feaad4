// Money that payers send without a charge: the amounts of receipts, and their distribution over an invoice (INS-70 to INS-74).
import { minOf } from '../money/money.ts';
import type { ReceiptStatus } from '../rows/enums.ts';
import type { ReceiptRow } from '../rows/rows.ts';
import { instrumentOf } from './instruments/registry.ts';

type Amounts = Pick<ReceiptRow, 'amountMinor' | 'appliedMinor' | 'returnedMinor'>;

/** Returns the amount of a receipt that was neither applied nor returned. */
export const leftOf = ({ amountMinor, appliedMinor, returnedMinor }: Amounts): bigint =>
  amountMinor - appliedMinor - returnedMinor;

/** Returns the status of a receipt that belongs to a customer. */
export function receiptStatus(receipt: Amounts): ReceiptStatus {
  if (leftOf(receipt) > 0n) return 'on_account';
  return receipt.appliedMinor > 0n ? 'applied' : 'returned';
}

/** Amount of a receipt that pays an invoice. Positive. */
export type Portion = { readonly receiptId: string; readonly amountMinor: bigint };

/** Distributes receipts over an amount, in the given order. The portions never exceed the amount. */
export function portionsFor(
  receipts: readonly (Amounts & Pick<ReceiptRow, 'id'>)[],
  amountMinor: bigint,
): Portion[] {
  let open = amountMinor;
  const portions: Portion[] = [];
  for (const receipt of receipts) {
    const portion = minOf(open, leftOf(receipt));
    if (portion <= 0n) continue;
    portions.push({ receiptId: receipt.id, amountMinor: portion });
    open -= portion;
  }
  return portions;
}

export const sumOf = (portions: readonly Portion[]): bigint =>
  portions.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);

/**
 * Returns the part of an amount due that money on account pays before a charge. Leaves at least the smallest charge, so that the
 * rest can be charged.
 */
export function amountBeforeCharge(due: bigint, available: bigint, smallestCharge: bigint): bigint {
  if (available >= due) return due;
  const most = due - smallestCharge;
  return most <= 0n ? 0n : minOf(available, most);
}

/**
 * Returns true if the rest of a receipt is returned to the payer: late money of an instrument that can return it. The rest of all
 * other receipts stays on account (INS-72).
 */
export const returnsRest = ({ lateOf, instrument }: Pick<ReceiptRow, 'lateOf' | 'instrument'>): boolean =>
  lateOf !== null && instrumentOf(instrument).refund.to === 'original';
