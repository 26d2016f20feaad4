import { specificRejection } from '../../errors/errors.ts';
import type { SubscriptionRow } from '../../rows/rows.ts';
import { begin, priceWithOffer } from '../lifecycle/create.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import { seatsRejection, selectedPlan, selectedPrice } from '../pricing/selection.ts';
import type { Decision } from '../state/aggregate.ts';
import { type Due, subscriptionCommand } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';

/**
 * Starts a draft on its start date, at the price that applies on that date (SUB-10). If a check rejects
 * the start, the subscription remains a draft and the deadline fails.
 */
export const start = subscriptionCommand({
  kind: 'start',
  needs: ({ subscriptionId }: Due) => ({ countries: [null], offersSelectedBy: [subscriptionId] }),
  decide(draft: Draft, subscription: SubscriptionRow, command: Due): Decision {
    if (subscription.status !== 'draft') {
      draft.complete(command);
      return draft.done('unchanged', subscription.id);
    }
    const { catalog } = draft.aggregate;
    const { selection } = subscription;
    const plan = selectedPlan(catalog, { planId: selection.planId });
    if (plan === null) return draft.reject(specificRejection('plan_not_found', 'deleted_before_start'));
    const price = plan.isFree
      ? null
      : selectedPrice(catalog, plan, selection, draft.dueAt, draft.customer.country);
    if (price !== null && 'code' in price) return draft.reject(price);
    const rejection =
      seatsRejection(catalog, plan, subscription.initialSeats, draft.dueAt) ??
      seatRateRejection(catalog, plan.id, subscription.initialSeats, price ?? null, draft.dueAt);
    if (rejection !== null) return draft.reject(rejection);
    const bought =
      price === null
        ? null
        : priceWithOffer(draft, selection, { plan, price, seats: subscription.initialSeats });
    if (bought !== null && 'code' in bought) return draft.reject(bought);
    draft.complete(command);
    draft.item = { outcome: 'started', invoiceId: null, detail: null };
    const bound = {
      priceId: price?.price.id ?? null,
      billingInterval: price?.price.billingInterval ?? null,
      currency: price?.currency ?? 'usd',
      marketId: price?.market ?? null,
    };
    return begin(draft, draft.subscriptions.patch(subscription.id, { ...bound }), plan, bought);
  },
});
