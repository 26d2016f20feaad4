import { defaultRejection, specificRejection } from '../../errors/errors.ts';
import { processorRejection } from '../../payments/processors.ts';
import type { PlanRow } from '../../pricing/catalog.ts';
import type { ResolvedPrice } from '../../pricing/resolve.ts';
import type { StoredSelection, SubscriptionRow } from '../../rows/rows.ts';
import type { CreateSelection } from '../../rows/selection-rows.ts';
import { addAccount } from '../allowances/allowance.ts';
import { type Bought, begin, priceWithOffer } from '../lifecycle/create.ts';
import { endSubscription } from '../lifecycle/end-subscription.ts';
import { isCharging } from '../pricing/lookup.ts';
import { seatRateRejection } from '../pricing/seats.ts';
import {
  defaultProvider,
  freePlanRejection,
  isSameRequest,
  laterStart,
  providerRejection,
  seatsRejection,
  selectedPlan,
  selectedPrice,
  selectionProblems,
  storedSelection,
} from '../pricing/selection.ts';
import type { Decision } from '../state/aggregate.ts';
import { customerCommand, type Timed } from '../state/command.ts';
import { deadline } from '../state/deadlines.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, problemRejection } from '../state/rejections.ts';
import { blockingStatuses } from '../state/transitions.ts';

type Input = Timed & {
  readonly selection: CreateSelection;
};

/**
 * Creates a subscription. Its status depends on the plan, price, and start date (SUB-9). The first failed check
 * determines the error (SUB-7).
 */
export const subscriptionCreate = customerCommand({
  kind: 'subscription.create',
  needs: ({ selection: { planId, planCode, priceId, initialSeats, ...offers } }: Input) => ({
    plans: planId ? [planId] : [],
    planCodes: planCode ? [planCode] : [],
    prices: priceId ? [priceId] : [],
    featureCodes: Object.keys(initialSeats ?? {}),
    countries: [null],
    offers: [offers],
  }),
  decide(draft: Draft, { selection }: Input): Decision {
    const { catalog, subscriptions } = draft.aggregate;
    const problem = problemRejection(selectionProblems(selection, draft.now));
    if (problem !== null) return draft.reject(problem);
    const blocking = subscriptions.find(({ status }) => blockingStatuses.includes(status));
    if (blocking !== undefined) {
      return draft.reject(
        specificRejection('already_has_active_subscription', 'subscription', { values: { id: blocking.id } }),
      );
    }
    const plan = selectedPlan(catalog, selection);
    if (plan === null) return draft.reject(defaultRejection('plan_not_found'));
    const price = plan.isFree
      ? null
      : selectedPrice(catalog, plan, selection, draft.dueAt, draft.customer.country);
    const freeRejection = plan.isFree ? freePlanRejection(selection) : null;
    if (freeRejection !== null) return draft.reject(freeRejection);
    if (price !== null && 'code' in price) return draft.reject(price);
    const seats = selection.initialSeats ?? {};
    const seatsProblem =
      seatsRejection(catalog, plan, seats, draft.dueAt) ??
      seatRateRejection(catalog, plan.id, seats, price ?? null, draft.dueAt);
    if (seatsProblem !== null) return draft.reject(seatsProblem);
    const bought = price === null ? null : priceWithOffer(draft, selection, { plan, price, seats });
    if (bought !== null && 'code' in bought) return draft.reject(bought);
    const opensCheckout = bought !== null && laterStart(selection.startDate, draft.now) === null;
    const rejection =
      providerRejection(selection) ??
      (opensCheckout ? processorRejection(draft.aggregate.environment.processors, selection) : null);
    return rejection === null ? createOrReuse(draft, selection, plan, bought) : draft.reject(rejection);
  },
});

function createOrReuse(
  draft: Draft,
  selection: CreateSelection,
  plan: PlanRow,
  bought: Bought | null,
): Decision {
  const price = bought?.price ?? null;
  const stored = storedSelection(selection, plan, draft.now);
  const requested = {
    selection: stored,
    priceId: price?.price.id ?? null,
    seats: selection.initialSeats ?? {},
  };
  const pending = draft.aggregate.subscriptions.filter(({ status }) => status === 'pending_payment');
  const same = pending.find((row) => isSameRequest(row, requested));
  if (same !== undefined) return returnExisting(draft, same, stored);
  if (pending.some((row) => isCharging(draft, row))) return draft.reject(chargeInProgress);
  for (const row of pending)
    endSubscription(draft, row, { reason: 'replaced', canceledAt: draft.now, endDate: draft.now });

  const created = draft.subscriptions.add(newSubscription(draft, selection, stored, price));
  addAccount(draft, created);
  const start = laterStart(selection.startDate, draft.now);
  if (start === null) return begin(draft, created, plan, bought);
  draft.schedule(deadline(created, 'start', start));
  return draft.done('done', created.id);
}

/**
 * Returns the open checkout that was created with the same parameters, and switches the checkout to the language of the
 * new request.
 */
function returnExisting(draft: Draft, same: SubscriptionRow, { locale }: StoredSelection): Decision {
  if (locale !== undefined && locale !== same.selection.locale)
    draft.subscriptions.patch(same.id, { selection: { ...same.selection, locale } });
  return draft.done('unchanged', same.id, same.checkoutInvoiceId);
}

function newSubscription(
  draft: Draft,
  selection: CreateSelection,
  stored: StoredSelection,
  price: ResolvedPrice | null,
): SubscriptionRow {
  return {
    id: draft.newId('sub'),
    seq: null,
    customerId: draft.customer.id,
    planId: stored.planId,
    priceId: price?.price.id ?? null,
    name: selection.name ?? null,
    description: selection.description ?? null,
    status: 'draft',
    billingInterval: price?.price.billingInterval ?? null,
    currency: price?.currency ?? 'usd',
    marketId: price?.market ?? null,
    provider: price === null ? null : (stored.provider ?? defaultProvider),
    paymentMethodId: null,
    startDate: laterStart(selection.startDate, draft.now) ?? draft.now,
    endDate: null,
    anchorDate: null,
    periodStart: null,
    periodEnd: null,
    windowStart: null,
    windowEnd: null,
    trialEndsAt: null,
    termsFrom: null,
    grantedPlanId: null,
    grantedReleaseSeq: null,
    listBaseMinor: 0n,
    effectiveBaseMinor: 0n,
    minimumSpend: null,
    recurring: null,
    mrr: 0n,
    cancelAtPeriodEnd: false,
    cancellationScheduledAt: null,
    cancelReason: null,
    cancelEffectiveAt: null,
    canceledAt: null,
    activatedAt: null,
    checkoutInvoiceId: null,
    dunningInvoiceId: null,
    dunningStartedAt: null,
    dunningAttempts: 0,
    retryTerms: null,
    selection: stored,
    initialSeats: selection.initialSeats ?? {},
    scheduledChange: null,
    pendingCheckout: null,
    carried: [],
    corrections: [],
    successUrl: selection.successUrl ?? null,
    createdAt: draft.now,
    updatedAt: draft.now,
  };
}
