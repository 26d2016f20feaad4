import type { Decision } from './aggregate.ts';
import { attempt } from './dunning.ts';
import { isCharging, methodOf } from './lookup.ts';
import { chargeInProgress, noPaymentMethod, statusRefusal } from './refusals.ts';
import type { SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/**
 * Charges the invoice in dunning by hand; a decline uses up the next slot and is refused with `charge_failed` (SUB-30, BIL-42). Without a
 * stored method nothing is tried: `no_payment_method`.
 */
export function retry(work: Work, subscription: SubscriptionRow): Decision {
  const refusal = statusRefusal('retry', subscription);
  if (refusal !== null) return work.refuse(refusal);
  if (isCharging(work, subscription)) return work.refuse(chargeInProgress);
  if (methodOf(work, subscription) === null) return work.refuse(noPaymentMethod);
  return attempt(work, subscription);
}
