import { specificRejection } from '../../errors.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { isReactivation, restartRejection } from '../lifecycle/reactivate.ts';
import { payerLimit } from '../lifecycle/retry.ts';
import { ask, isAwaited } from '../payments/recovery.ts';
import { isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';
import type { InvoiceRow, MethodDetails, SubscriptionRow } from '../state/rows.ts';

type Input = OnSubscription & {
  readonly invoiceId: string;
  readonly method: MethodDetails;
  /** The attempt whose authentication was abandoned before, as at a checkout. */
  readonly abandoned: string | null;
};

/** Whether paying an invoice makes its subscription run again: it is in dunning, or waits for a new start. */
const isRecoverable = (subscription: SubscriptionRow, invoice: InvoiceRow): boolean =>
  subscription.status === 'canceled'
    ? isReactivation(subscription, invoice)
    : invoice.status === 'outstanding' && subscription.dunningInvoiceId === invoice.id;

/**
 * Charges the outstanding invoice by the method typed in, which becomes that of the subscription once it has
 * paid. A decline uses up no dunning slot (BIL-42). Rejects with `no_outstanding_invoice` when there is
 * nothing to be paid any more, and with `rate_limited` after too many attempts.
 */
export const recoveryPay = subscriptionCommand({
  kind: 'recovery.pay',
  decide(draft: Draft, subscription: SubscriptionRow, { invoiceId, method, abandoned }: Input): Decision {
    const invoice = draft.invoices.find(invoiceId);
    if (invoice === null || !isRecoverable(subscription, invoice)) {
      return draft.reject(specificRejection('no_outstanding_invoice', 'settled'));
    }
    if (isCharging(draft, subscription) || isAwaited(subscription, abandoned))
      return draft.reject(chargeInProgress);
    const rejection = subscription.status === 'canceled' ? restartRejection(draft, subscription) : null;
    const obstacle = rejection ?? payerLimit(draft, subscription);
    if (obstacle !== null) return draft.reject(obstacle);
    const { id } = requestCharge(draft, subscription, invoice, method, false, {
      isPayerRetry: true,
      isPresent: true,
    });
    ask(draft, subscription, id, id, method);
    return draft.done('charging', subscription.id, invoice.id);
  },
});
