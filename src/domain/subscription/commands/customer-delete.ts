import type { Rejection } from '../../errors/errors.ts';
import { customerDeleted } from '../../events/customer-events.ts';
import { abandonRejection } from '../../payments/payment.ts';
import type { PaymentRow } from '../../rows/payment-rows.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { endImmediately } from '../lifecycle/end-subscription.ts';
import { withdraw } from '../payments/payment-links.ts';
import { removeMethod } from '../payments/stored-methods.ts';
import { isCharging, isCollectingDebit, storedMethods } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';

/** Cancellation reason for subscriptions whose customer was deleted (SUB-28a). */
const reason = 'customer_deleted';

type Input = Timed & {
  /**
   * Canceled subscriptions that still reference a stored payment method. The command removes these
   * references.
   */
  readonly subscriptionIds: readonly string[];
  /**
   * Unpaid payment links of the customer. `abandoned` is the ID of the attempt whose authentication was
   * already canceled at the provider, or `null`.
   */
  readonly links: readonly { readonly paymentId: string; readonly abandoned: string | null }[];
};

/**
 * Deletes a customer (PLT-24). Cancels its subscriptions immediately without a charge, removes its stored payment
 * methods, cancels its payment links, and releases its external ID. Invoices, payments, and credits don't change, but
 * outstanding subscription invoices are voided as with every cancellation. Fails with `charge_in_progress` while a
 * charge has no result.
 */
export const customerDelete = customerCommand({
  kind: 'customer.delete',
  needs: ({ subscriptionIds, links }: Input) => ({
    subscriptions: subscriptionIds,
    payments: links.map(({ paymentId }) => paymentId),
  }),
  decide(draft, { links }: Input): Decision {
    const running = draft.subscriptions.all().filter(({ status }) => status !== 'canceled');
    const open = draft.payments.all().filter(isOpenLink(draft));
    const abandoned = new Map(links.map((link) => [link.paymentId, link.abandoned]));
    const rejection = unansweredRejection(draft, running, open, abandoned);
    if (rejection !== null) return draft.reject(rejection);
    for (const subscription of running) endImmediately(draft, subscription, reason);
    for (const payment of open) withdraw(draft, payment);
    for (const method of storedMethods(draft)) removeMethod(draft, method, 'merchant');
    draft.emit(customerDeleted(draft.customer));
    draft.customers.patch(draft.customer.id, {
      externalId: null,
      updatedAt: draft.now,
      deletedAt: draft.now,
    });
    return draft.done('done', null);
  },
});

const isOpenLink =
  (draft: Draft) =>
  ({ kind, status, payerId }: PaymentRow): boolean =>
    kind === 'link' && payerId === draft.customer.id && status !== 'succeeded' && status !== 'canceled';

/** Returns the rejection for a deletion if a payment is in progress. `null` if no payment is in progress. */
function unansweredRejection(
  draft: Draft,
  running: readonly SubscriptionRow[],
  open: readonly PaymentRow[],
  abandoned: ReadonlyMap<string, string | null>,
): Rejection | null {
  const isBusy = (subscription: SubscriptionRow): boolean =>
    isCharging(draft, subscription) || isCollectingDebit(draft, subscription);
  if (running.some(isBusy)) return chargeInProgress;
  for (const payment of open) {
    const pending =
      payment.status === 'processing'
        ? chargeInProgress
        : abandonRejection(payment, abandoned.get(payment.id) ?? null);
    if (pending !== null) return pending;
  }
  const withdrawn = new Set(open.map(({ attempt }) => attempt?.transactionId));
  const isPending = draft.transactions
    .all()
    .some(
      ({ id, status, subscriptionId }) =>
        status === 'pending' && subscriptionId === null && !withdrawn.has(id),
    );
  return isPending ? chargeInProgress : null;
}
