import { boundOf } from '../../rows/period-bound.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { openCounts, resetPools } from '../allowances/allowance.ts';
import { periodArrears, rateRejection, windowArrears } from '../allowances/arrears.ts';
import { billedUsage, settlePrices } from '../allowances/final-prices.ts';
import { issueWindowInvoice } from '../invoicing/invoicing.ts';
import { issueLast } from '../lifecycle/last-charge.ts';
import { collect } from '../lifecycle/renewal.ts';
import { isChargedChange } from '../plan-change/change-amounts.ts';
import { followingPeriod, followingWindow, isRecurring, scheduleWindow } from '../schedule/periods.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Ends a usage window: bills its charges and opens the next window (BIL-9, BIL-10). On free and one-time
 * plans, the usage window is also the billing period (SUB-62).
 */
export const windowReset = subscriptionCommand({
  kind: 'window_reset',
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    if (subscription.windowEnd?.getTime() !== command.dueAt.getTime()) {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    // While the charge for a plan change is pending, the invoice for the change already includes the charges for
    // the usage window.
    if (draft.invoices.all().some((invoice) => isChargedChange(subscription, invoice)))
      return draft.finish({ kind: 'park' });
    const window = followingWindow(subscription, command.dueAt);
    const isWithinPeriod = isRecurring(subscription) || subscription.status === 'trialing';
    const changes = {
      ...(isWithinPeriod
        ? { windowStart: window.start, windowEnd: window.end }
        : followingPeriod(subscription, command.dueAt)),
      updatedAt: draft.now,
    };
    // Charges for a usage window can't prevent a scheduled cancellation (SUB-25a).
    const isEnding = subscription.cancelAtPeriodEnd;
    const rejection = isEnding ? null : rateRejection(draft, subscription, { ...subscription, ...changes });
    if (rejection !== null) return draft.reject(rejection);
    const arrears = isWithinPeriod ? windowArrears(draft, subscription) : periodArrears(draft, subscription);
    if (!isEnding) settlePrices(draft, subscription, billedUsage(arrears));
    const ended = { start: boundOf(subscription, subscription.windowStart), end: command.dueAt };
    const reset = draft.subscriptions.patch(subscription.id, changes);
    if (!isWithinPeriod) openCounts(draft, reset);
    const invoice = isEnding
      ? issueLast(draft, subscription, arrears)
      : issueWindowInvoice(draft, reset, { period: ended, arrears, isPeriodEnd: !isWithinPeriod });
    if (reset.status !== 'trialing') resetPools(draft, reset, 'following');
    scheduleWindow(draft, reset);
    draft.item = {
      outcome: invoice === null ? 'reset' : 'overage_invoiced',
      invoiceId: invoice?.id ?? null,
      detail: null,
    };
    return invoice === null ? draft.done('done', subscription.id) : collect(draft, reset, invoice);
  },
});
