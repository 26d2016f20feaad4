// Minimum spend of the current billing period, and the charges that count toward it (PRM-33).

import type { LineDraft } from '../../invoicing/line.ts';
import { advanceCharges, arrearCharges } from '../../invoicing/minimum-spend.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { InvoiceRow, MinimumSpend, SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from '../state/draft.ts';

/** Returns the minimum spend of the period that an invoice with the given lines opens. `null` if the price has no minimum. */
export const openedMinimum = (
  { minimumMinor }: Pick<ResolvedPrice, 'minimumMinor'>,
  lines: readonly LineDraft[],
): MinimumSpend | null =>
  minimumMinor === null ? null : { amount: String(minimumMinor), charged: String(advanceCharges(lines)) };

/** Stores the minimum spend of the period that an invoice opens. The decision must have written the invoice's lines. */
export function openMinimum(
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  price: Pick<ResolvedPrice, 'minimumMinor'>,
  invoice: InvoiceRow,
): void {
  const minimumSpend = openedMinimum(
    price,
    draft.lines.filter(({ invoiceId }) => invoiceId === invoice.id),
  );
  if (minimumSpend !== null || draft.subscriptions.get(id).minimumSpend !== null)
    draft.subscriptions.patch(id, { minimumSpend });
}

const raise = (draft: Draft, id: string, amountMinor: bigint): void => {
  const { minimumSpend } = draft.subscriptions.get(id);
  if (minimumSpend === null || amountMinor === 0n) return;
  const charged = String(BigInt(minimumSpend.charged) + amountMinor);
  draft.subscriptions.patch(id, { minimumSpend: { ...minimumSpend, charged } });
};

/** Counts the overage of a usage window toward the minimum spend of its billing period. */
export const countArrears = (
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  lines: readonly LineDraft[],
): void => raise(draft, id, arrearCharges(lines));

/** Counts the price of an add-on that was added during the billing period toward its minimum spend. */
export const countAddon = (
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  { subtotal }: Pick<InvoiceRow, 'subtotal'>,
): void => raise(draft, id, subtotal);
