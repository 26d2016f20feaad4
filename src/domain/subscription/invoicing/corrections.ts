// Corrections of ended usage windows on invoices and as customer credit (PRM-128).
import type { WaivedCharge } from '../../events/deadline-events.ts';
import { remainingCorrections } from '../../invoicing/usage-corrections.ts';
import type { InvoiceLineRow, InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { isoDate } from '../../time/period.ts';
import type { Draft } from '../state/draft.ts';
import { addCredit } from './credits.ts';

/** Removes the amounts that the lines of a new invoice contain from the pending corrections of a subscription. */
export function takeCorrections(
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  lines: readonly InvoiceLineRow[],
): void {
  const { corrections } = draft.subscriptions.get(id);
  if (corrections.length === 0) return;
  draft.subscriptions.patch(id, { corrections: remainingCorrections(corrections, lines) });
}

/** Grants a customer credit for corrected usage. */
const creditCorrection = (draft: Draft, currency: string, amountMinor: bigint, reason: string): void =>
  addCredit(draft, {
    id: draft.newId('crd'),
    amountMinor,
    currency,
    creditSource: 'api',
    sourceId: null,
    reason,
    expiresAt: null,
  });

/**
 * Grants a customer credit for the corrections that a voided invoice credited. `fromLots` is the sum of the customer
 * credits and the prepaid commitments that the invoice used. Only invoices for billing periods and usage windows contain corrections.
 */
export function returnCorrections(
  draft: Draft,
  { type, currency, creditApplied, issueDate }: InvoiceRow,
  fromLots: bigint,
): void {
  const amount = type === 'recurring' || type === 'overage' ? creditApplied - fromLots : 0n;
  if (amount > 0n)
    creditCorrection(draft, currency, amount, `Corrections on the voided invoice of ${isoDate(issueDate)}`);
}

/**
 * Ends the pending corrections of a subscription that gets no further invoice. Overpaid amounts become customer credit.
 * Charges are waived and returned.
 */
export function endCorrections(
  draft: Draft,
  { id, currency }: Pick<SubscriptionRow, 'id' | 'currency'>,
): WaivedCharge[] {
  const { corrections } = draft.subscriptions.get(id);
  if (corrections.length === 0) return [];
  draft.subscriptions.patch(id, { corrections: [] });
  return corrections.flatMap(({ featureName, windowStart, amount }) => {
    const description = `${featureName}: correction of the usage from ${windowStart.slice(0, 10)}`;
    if (BigInt(amount) > 0n) return [{ description, amount }];
    creditCorrection(draft, currency, -BigInt(amount), description);
    return [];
  });
}
