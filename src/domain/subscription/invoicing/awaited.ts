// Attempts that wait for a payment by the payer. Another attempt at the same invoice replaces them (INS-13).
import type { TransactionRow } from '../../rows/rows.ts';
import { isAwaitingPayer } from '../pricing/lookup.ts';
import type { Draft } from '../state/draft.ts';

/** Cancels an attempt that waits for the payer. Its instructions can no longer be paid, and its simulated reports are removed. */
export function cancelAwaited(draft: Draft, { id, subscriptionId, customerId }: TransactionRow): void {
  draft.transactions.patch(id, {
    status: 'failed',
    stage: 'canceled',
    declineCode: 'canceled',
    updatedAt: draft.now,
  });
  for (const row of draft.deadlinesOf(subscriptionId ?? customerId))
    if (row.kind === 'attempt_step' && row.data.transactionId === id) draft.unschedule(row.id);
}

/** Cancels the attempts at an invoice that wait for the payer, except for one attempt. */
export function replaceAwaited(draft: Draft, invoiceId: string, exceptId: string | null = null): void {
  for (const row of draft.transactions.all())
    if (row.invoiceId === invoiceId && row.id !== exceptId && isAwaitingPayer(row)) cancelAwaited(draft, row);
}
