import { customerDeleted } from '../../customer-events.ts';
import type { Rejection } from '../../errors.ts';
import { giveUpRejection } from '../../payments/payment.ts';
import type { PaymentRow } from '../../payments/rows.ts';
import { endAtOnce } from '../lifecycle/end-subscription.ts';
import { withdraw } from '../payments/payment-links.ts';
import { removeMethod } from '../payments/stored-methods.ts';
import { isCharging, storedMethods } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress } from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';

/** The reason of a subscription that ends with its customer (SUB-28a). */
const reason = 'customer_deleted';

type Input = Timed & {
  /** Canceled subscriptions that were charged to a stored method last, which forget it. */
  readonly subscriptionIds: readonly string[];
  /**
   * Links of the customer that were not paid, each with the attempt whose authentication was taken back
   * before; null without one.
   */
  readonly links: readonly { readonly paymentId: string; readonly abandoned: string | null }[];
};

/**
 * Deletes a customer (PLT-24): its subscriptions are canceled at once and nothing is charged, its stored
 * methods are removed, its links withdrawn, and its external id is free again. Invoices, payments and credits
 * stay as they are, but outstanding invoices of its subscriptions are voided as with every cancellation.
 * Rejects with `charge_in_progress` while a charge is unanswered.
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
    for (const subscription of running) endAtOnce(draft, subscription, reason);
    for (const payment of open) withdraw(draft, payment);
    for (const method of storedMethods(draft)) removeMethod(draft, method);
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

/** Why the customer must stay for now: money may yet be taken. Null when none can be. */
function unansweredRejection(
  draft: Draft,
  running: readonly SubscriptionRow[],
  open: readonly PaymentRow[],
  abandoned: ReadonlyMap<string, string | null>,
): Rejection | null {
  if (running.some((subscription) => isCharging(draft, subscription))) return chargeInProgress;
  for (const payment of open) {
    const late =
      payment.status === 'processing'
        ? chargeInProgress
        : giveUpRejection(payment, abandoned.get(payment.id) ?? null);
    if (late !== null) return late;
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
