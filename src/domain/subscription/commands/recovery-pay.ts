import { specificRejection } from '../../errors/errors.ts';
import { amountDue } from '../../invoicing/credit-note.ts';
import type { MethodDetails, SubscriptionRow } from '../../rows/rows.ts';
import { requestCharge } from '../invoicing/charging.ts';
import { misfitRejection } from '../invoicing/debit-terms.ts';
import { detailsRejection } from '../invoicing/push-terms.ts';
import { isPayable } from '../lifecycle/payer-collection.ts';
import { isReactivation, restartRejection } from '../lifecycle/reactivate.ts';
import { payerRejection } from '../lifecycle/retry.ts';
import { ask, isAwaited } from '../payments/recovery.ts';
import { isBeingCollected, isCharging } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { type OnSubscription, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';

type Input = OnSubscription & {
  readonly invoiceId: string;
  readonly method: MethodDetails;
  /**
   * ID of the attempt whose abandoned authentication was already canceled at the provider. `null` if no
   * attempt was canceled.
   */
  readonly abandoned: string | null;
};

/**
 * Charges an outstanding invoice to the entered payment method, which becomes the subscription's payment method after
 * the payment. A declined charge doesn't use up a dunning retry (BIL-42). Fails with `no_outstanding_invoice` if the
 * invoice no longer needs payment, and with `rate_limited` after too many attempts.
 */
export const recoveryPay = subscriptionCommand({
  kind: 'recovery.pay',
  decide(draft: Draft, subscription: SubscriptionRow, { invoiceId, method, abandoned }: Input): Decision {
    const invoice = draft.invoices.find(invoiceId);
    if (invoice?.subscriptionId !== subscription.id || !isPayable(subscription, invoice)) {
      return draft.reject(specificRejection('no_outstanding_invoice', 'settled'));
    }
    if (
      isCharging(draft, subscription) ||
      isBeingCollected(draft, invoice.id) ||
      isAwaited(subscription, abandoned)
    )
      return draft.reject(chargeInProgress);
    const rejection =
      subscription.status === 'canceled' && isReactivation(subscription, invoice)
        ? restartRejection(draft, subscription)
        : null;
    const misfit = misfitRejection(method, {
      currency: invoice.currency,
      country: draft.customer.country,
      amountMinor: amountDue(invoice),
    });
    const { address, taxDocument } = draft.customer;
    const obstacle =
      rejection ??
      misfit ??
      detailsRejection(method, { address, taxDocument }) ??
      payerRejection(draft, subscription);
    if (obstacle !== null) return draft.reject(obstacle);
    const { id } = requestCharge(draft, subscription, invoice, method, false, {
      isPayerRetry: true,
      isPresent: true,
    });
    ask(draft, subscription, id, id, method);
    return draft.done('charging', subscription.id, invoice.id);
  },
});
