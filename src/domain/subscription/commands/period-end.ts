import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { openCounts, resetPools } from '../allowances/allowance.ts';
import { owedRejection, periodArrears, rateRejection, riseArrears } from '../allowances/arrears.ts';
import { billedUsage, settlePrices } from '../allowances/final-prices.ts';
import { issuePeriodInvoice, issueWindowInvoice } from '../invoicing/invoicing.ts';
import { cancelAtBoundary } from '../lifecycle/last-charge.ts';
import { collect } from '../lifecycle/renewal.ts';
import { announceChange, changeFields, dueChange, settleChange } from '../plan-change/change-boundary.ts';
import type { PlanTarget } from '../plan-change/change-target.ts';
import { cadenceAt } from '../pricing/cadence.ts';
import { boundPrice, isCharging, planOf } from '../pricing/lookup.ts';
import { basesOf, firstBase, periodBase } from '../pricing/priced-base.ts';
import { followingPeriod, planCadence, schedulePeriod } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import { deadlineId } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';

/**
 * Ends a billing period (BIL-6 to BIL-8). Cancels the subscription if a cancellation is scheduled. Otherwise
 * opens the next period, and issues and charges its invoice.
 */
export const periodEnd = subscriptionCommand({
  kind: 'period_end',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    const { status, id } = subscription;
    const isDue =
      (status === 'active' || status === 'past_due') &&
      subscription.periodEnd?.getTime() === command.dueAt.getTime();
    if (!isDue) {
      draft.complete(command);
      return draft.done('unchanged', id);
    }
    // The period can't end while a charge is in progress or the subscription is past due.
    if (status === 'past_due' || isCharging(draft, subscription)) return draft.finish({ kind: 'park' });
    if (subscription.cancelAtPeriodEnd) return cancelAtBoundary(draft, subscription);
    return renew(draft, subscription);
  },
});

function renew(draft: Draft, subscription: SubscriptionRow): Decision {
  const change = dueChange(draft, subscription);
  if (change?.price === null) return becomeFree(draft, subscription, change);
  const terms = changeFields(subscription, change);
  const bound = { ...subscription, ...terms };
  const price = change?.price ?? boundPrice(draft, bound);
  if ('failure' in price) return draft.reject(priceRejection(price.failure));
  const cadence = change === null ? cadenceAt(draft, bound, draft.dueAt) : planCadence;
  const following = followingPeriod(bound, draft.dueAt, cadence);
  // A billing period can be shorter than its usage window. The usage window then continues after the period ends (OFR-13).
  const isInWindow =
    cadence.interval !== null &&
    !cadence.isTurn &&
    boundOf(subscription, subscription.windowEnd) > draft.dueAt;
  const { windowStart, windowEnd, termsFrom } = subscription;
  const period = isInWindow ? { ...following, windowStart, windowEnd, termsFrom } : following;
  const base =
    change === null
      ? periodBase(draft, bound, price.amountMinor, draft.dueAt)
      : firstBase(price.amountMinor, null);
  const changes = { ...terms, ...period, ...basesOf(base), updatedAt: draft.now };
  // `dueChange` already rejects a plan change without prices.
  const rejection =
    change === null
      ? rateRejection(draft, subscription, { ...subscription, ...changes })
      : owedRejection(draft, subscription);
  if (rejection !== null) return draft.reject(rejection);
  const arrears = isInWindow ? riseArrears(draft, subscription) : periodArrears(draft, subscription);
  if (!isInWindow) settlePrices(draft, subscription, billedUsage(arrears));
  const opened = draft.subscriptions.patch(subscription.id, changes);
  const renewed = settleChange(draft, subscription, opened, change);
  const span = { start: draft.dueAt, end: boundOf(renewed, period.periodEnd) };
  openCounts(draft, renewed);
  const invoice = issuePeriodInvoice(draft, renewed, price, base, {
    period: span,
    arrears,
    isFirst: false,
  });
  if (!isInWindow) resetPools(draft, renewed, 'following', { endingPlan: planOf(draft, subscription) });
  schedulePeriod(draft, renewed);
  draft.item = { outcome: change === null ? 'renewed' : 'plan_changed', invoiceId: invoice.id, detail: null };
  if (change !== null) announceChange(draft, subscription, renewed, invoice);
  return collect(draft, renewed, invoice);
}

/**
 * Switches to a free plan, which has no base charge, and bills the final charges of the paid plan (SUB-49).
 */
function becomeFree(draft: Draft, subscription: SubscriptionRow, change: PlanTarget): Decision {
  const rejection = owedRejection(draft, subscription);
  if (rejection !== null) return draft.reject(rejection);
  const arrears = periodArrears(draft, subscription);
  settlePrices(draft, subscription, billedUsage(arrears));
  const terms = changeFields(subscription, change);
  const bound = { ...subscription, ...terms };
  const period = followingPeriod(bound, draft.dueAt);
  const left = draft.subscriptions.patch(subscription.id, {
    ...terms,
    ...period,
    listBaseMinor: 0n,
    effectiveBaseMinor: 0n,
    minimumSpend: null,
    updatedAt: draft.now,
  });
  const free = settleChange(draft, subscription, left, change);
  openCounts(draft, free);
  const ended = { start: boundOf(subscription, subscription.windowStart), end: draft.dueAt };
  const invoice = issueWindowInvoice(draft, free, { period: ended, arrears, isPeriodEnd: true });
  resetPools(draft, free, 'following', { endingPlan: planOf(draft, subscription) });
  draft.unschedule(deadlineId('period_end', free.id));
  draft.unschedule(deadlineId('daily_scan', free.id, 'upcoming'));
  schedulePeriod(draft, free);
  draft.item = { outcome: 'plan_changed', invoiceId: invoice?.id ?? null, detail: null };
  announceChange(draft, subscription, free, invoice);
  return invoice === null ? draft.done('done', free.id) : collect(draft, free, invoice);
}
