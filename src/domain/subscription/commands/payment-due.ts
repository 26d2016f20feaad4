import { paymentFailed } from '../../events/payment-events.ts';
import type { InvoiceRow, SubscriptionRow } from '../../rows/rows.ts';
import { withoutAuthentication } from '../invoicing/charging.ts';
import { markUncollectible } from '../invoicing/settling.ts';
import { renewalFailed } from '../lifecycle/renewal.ts';
import { isBeingCollected, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';

type Input = Due & {
  readonly invoiceId: string;
};

/**
 * Ends the collection of an invoice that the customer didn't pay by its due date (INS-24). Dunning starts. If the subscription
 * has ended, the invoice becomes uncollectible. Waits for an attempt that is in progress.
 */
export const paymentDue = subscriptionCommand({
  kind: 'payment_due',
  needs: ({ invoiceId }: Input) => ({ invoices: [invoiceId] }),
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    const invoice = draft.invoices.find(command.invoiceId);
    if (invoice?.status !== 'outstanding') {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    if (isCharging(draft, subscription) || isBeingCollected(draft, invoice.id))
      return draft.finish({ kind: 'park' });
    const free = withoutAuthentication(draft, subscription);
    if (free === null) return draft.finish({ kind: 'park' });
    draft.complete(command);
    fail(draft, free, invoice);
    return draft.done('done', subscription.id, invoice.id);
  },
});

function fail(draft: Draft, subscription: SubscriptionRow, invoice: InvoiceRow): void {
  const failure = {
    code: 'not_paid',
    message: "The customer didn't pay the invoice by its due date.",
    provider: subscription.provider ?? 'platform',
  };
  if (subscription.status === 'canceled') {
    draft.emit(paymentFailed(draft.customer, markUncollectible(draft, invoice), failure, null));
    draft.item = { outcome: 'declined', invoiceId: invoice.id, detail: failure.code };
    return;
  }
  renewalFailed(draft, subscription, invoice, failure);
  // The notice was sent after the due date.
  draft.unschedule(deadlineId('daily_scan', subscription.id, invoice.id));
}
