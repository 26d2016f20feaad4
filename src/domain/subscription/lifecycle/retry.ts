import { isPayerLimited } from '../../dunning.ts';
import type { Rejection } from '../../errors.ts';
import { withoutAuthentication } from '../invoicing/charging.ts';
import { isCharging, methodOf } from '../pricing/lookup.ts';
import type { Decision } from '../state/aggregate.ts';
import type { Draft } from '../state/draft.ts';
import {
  chargeInProgress,
  noPaymentMethod,
  statusRejection,
  tooManyPayerRetries,
} from '../state/rejections.ts';
import type { SubscriptionRow } from '../state/rows.ts';
import { attempt } from './dunning.ts';

/**
 * Charges the invoice in dunning for the merchant; a decline uses up the next slot and is rejected with
 * `charge_failed` (SUB-30, BIL-42). Without a stored method nothing is tried: `no_payment_method`.
 */
export function retry(draft: Draft, subscription: SubscriptionRow): Decision {
  const rejection = retryRejection(draft, subscription);
  return rejection === null ? attemptFreely(draft, subscription) : draft.reject(rejection);
}

/**
 * Makes an attempt unless a processor could still take what is owed, once the payer has authenticated there:
 * `charge_in_progress`.
 */
export function attemptFreely(draft: Draft, subscription: SubscriptionRow, isPayerRetry = false): Decision {
  const free = withoutAuthentication(draft, subscription);
  return free === null ? draft.reject(chargeInProgress) : attempt(draft, free, isPayerRetry);
}

/** Why the debt of a subscription cannot be charged again now; null when it can. */
export function retryRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const rejection = statusRejection('retry', subscription);
  if (rejection !== null) return rejection;
  if (isCharging(draft, subscription)) return chargeInProgress;
  return methodOf(draft, subscription) === null ? noPaymentMethod : null;
}

/** The rejection where payers have tried to pay a debt too often; null otherwise (BIL-42). */
export function payerLimit(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  const tried = draft.transactions
    .all()
    .filter(({ subscriptionId, isPayerRetry }) => isPayerRetry && subscriptionId === subscription.id);
  const times = tried.map(({ createdAt }) => createdAt);
  return isPayerLimited(times, draft.now) ? tooManyPayerRetries : null;
}
