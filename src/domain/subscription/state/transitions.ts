import type { ErrorCode } from '../../errors/errors.ts';
import type { SubscriptionStatus } from '../../rows/enums.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import type { Draft } from './draft.ts';

/** Statuses that give the customer access. */
export const accessStatuses: readonly SubscriptionStatus[] = ['trialing', 'active', 'past_due'];

/** Statuses that prevent another subscription for the same customer (SUB-3). */
export const blockingStatuses: readonly SubscriptionStatus[] = ['draft', 'trialing', 'active', 'past_due'];

/** Allowed status transitions. Only a reactivation can change the status `canceled`. */
export const subscriptionTransitions: {
  readonly [from in SubscriptionStatus]: readonly SubscriptionStatus[];
} = {
  draft: ['pending_payment', 'active', 'canceled'],
  pending_payment: ['trialing', 'active', 'canceled'],
  trialing: ['active', 'past_due', 'pending_payment', 'canceled'],
  active: ['past_due', 'canceled'],
  past_due: ['active', 'canceled'],
  canceled: ['active'],
};

/**
 * Changes the status of a subscription together with other fields. Throws if the transition isn't allowed,
 * which indicates a bug.
 */
export function moveSubscription(
  draft: Draft,
  { id }: Pick<SubscriptionRow, 'id'>,
  to: SubscriptionStatus,
  changes: Partial<SubscriptionRow> = {},
): SubscriptionRow {
  const { status } = draft.subscriptions.get(id);
  if (!subscriptionTransitions[status].includes(to))
    throw new Error(`The subscription ${id} cannot become ${to}: it is ${status}.`);
  return draft.subscriptions.patch(id, { ...changes, status: to });
}

/** Operations that depend on the subscription's status. */
export type StatusOperation =
  | 'cancel'
  | 'uncancel'
  | 'retry'
  | 'checkout'
  | 'reactivate'
  | 'updateMethod'
  | 'applyOffer'
  | 'removeOffer'
  | 'purchase'
  | 'adjust'
  | 'changePlan'
  | 'grant';

type Rejected = { readonly [status in SubscriptionStatus]?: ErrorCode };

/** Error codes by operation and status (SUB-21). Operations are allowed in statuses that aren't listed. */
export const statusRejections: { readonly [operation in StatusOperation]: Rejected } = {
  cancel: { canceled: 'subscription_already_canceled' },
  uncancel: {
    draft: 'not_scheduled_for_cancellation',
    pending_payment: 'not_scheduled_for_cancellation',
    past_due: 'not_scheduled_for_cancellation',
    canceled: 'subscription_already_canceled',
  },
  retry: {
    draft: 'invalid_subscription_status',
    pending_payment: 'invalid_subscription_status',
    trialing: 'invalid_subscription_status',
    active: 'invalid_subscription_status',
    canceled: 'invalid_subscription_status',
  },
  reactivate: {
    draft: 'invalid_subscription_status',
    pending_payment: 'invalid_subscription_status',
    trialing: 'invalid_subscription_status',
    active: 'invalid_subscription_status',
  },
  updateMethod: {
    draft: 'invalid_subscription_status',
    pending_payment: 'invalid_subscription_status',
    canceled: 'invalid_subscription_status',
  },
  applyOffer: {
    draft: 'invalid_subscription_status',
    past_due: 'invalid_subscription_status',
    canceled: 'invalid_subscription_status',
  },
  removeOffer: {
    draft: 'invalid_subscription_status',
    trialing: 'invalid_subscription_status',
    active: 'invalid_subscription_status',
    past_due: 'invalid_subscription_status',
    canceled: 'invalid_subscription_status',
  },
  checkout: {
    draft: 'invalid_subscription_status',
    trialing: 'invalid_subscription_status',
    active: 'invalid_subscription_status',
    past_due: 'invalid_subscription_status',
    canceled: 'invalid_subscription_status',
  },
  purchase: {
    draft: 'subscription_not_active',
    pending_payment: 'subscription_not_active',
    past_due: 'subscription_not_active',
    canceled: 'subscription_not_active',
  },
  adjust: {
    draft: 'subscription_not_active',
    pending_payment: 'subscription_not_active',
    canceled: 'subscription_not_active',
  },
  changePlan: {
    draft: 'subscription_not_active',
    pending_payment: 'subscription_not_active',
    past_due: 'subscription_not_active',
    canceled: 'subscription_not_active',
  },
  grant: {
    draft: 'subscription_not_active',
    pending_payment: 'subscription_not_active',
    trialing: 'subscription_not_active',
    past_due: 'subscription_not_active',
    canceled: 'subscription_not_active',
  },
};
