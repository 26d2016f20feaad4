import type { Rejection } from '../../errors/errors.ts';
import { reachedBy, retryAfterOf } from '../../limits/operation-limits.ts';
import { payerAttempts } from '../../limits/system-operations.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { withoutAuthentication } from '../invoicing/charging.ts';
import { isBeingCollected, isCharging, methodOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import {
  chargeInProgress,
  noPaymentMethod,
  statusRejection,
  tooManyPayerRetries,
} from '../state/rejections.ts';
import { attempt } from './dunning.ts';

/**
 * Charges the invoice in dunning at the merchant's request. A declined charge uses up the next retry and fails with
 * `charge_failed` (SUB-30, BIL-42). Fails with `no_payment_method` if no payment method is stored.
 */
export function retry(draft: Draft, subscription: SubscriptionRow): Decision {
  const rejection = retryRejection(draft, subscription);
  return rejection === null ? chargeDunningInvoice(draft, subscription) : draft.reject(rejection);
}

/**
 * Charges the invoice in dunning. Fails with `charge_in_progress` if the payer could still complete an
 * authentication at a provider, because the amount could then be collected twice.
 */
export function chargeDunningInvoice(
  draft: Draft,
  subscription: SubscriptionRow,
  isPayerRetry = false,
): Decision {
  const free = withoutAuthentication(draft, subscription);
  return free === null ? draft.reject(chargeInProgress) : attempt(draft, free, isPayerRetry);
}

/**
 * Returns the reason why the outstanding invoice of a subscription can't be charged now, or `null` if a charge is
 * possible.
 */
export function retryRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const rejection = statusRejection('retry', subscription);
  if (rejection !== null) return rejection;
  if (isCharging(draft, subscription) || isBeingCollected(draft, subscription.dunningInvoiceId))
    return chargeInProgress;
  return methodOf(draft, subscription) === null ? noPaymentMethod : null;
}

/** Returns the rejection if payers have reached the limit of payment attempts (BIL-42). `null` if another attempt is allowed. */
export function payerRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const tried = draft.transactions
    .all()
    .filter(({ subscriptionId, isPayerRetry }) => isPayerRetry && subscriptionId === subscription.id);
  const times = tried.map(({ createdAt }) => createdAt);
  const rejecting = reachedBy(payerAttempts, times, draft.now);
  return rejecting.length === 0 ? null : tooManyPayerRetries(retryAfterOf(rejecting));
}
