import type { Rejection } from '../../errors/errors.ts';
import { defaultRejection, specificRejection } from '../../errors/errors.ts';
import { activeAddons } from '../../usage/terms.ts';
import { addonsOf } from '../allowances/allowance.ts';
import { activeGrant, entryOf, scheduleExpiry } from '../allowances/plan-grant-effects.ts';
import { planGrantCreated } from '../allowances/plan-grant-events.ts';
import { pairRejection, releaseOf } from '../allowances/plan-grant-fit.ts';
import {
  endOf,
  type GrantCause,
  type GrantTerm,
  requestedDuration,
  termRejection,
} from '../allowances/plan-grants.ts';
import { pendingCharge } from '../pricing/lookup.ts';
import { isRecurring } from '../schedule/periods.ts';
import type { Decision, SubscriptionRow } from '../state/aggregate.ts';
import { subscriptionCommand, type Timed } from '../state/command.ts';
import type { Draft } from '../state/draft.ts';
import { chargeInProgress, fieldRejection, statusRejection } from '../state/rejections.ts';

type Input = Timed &
  GrantTerm &
  GrantCause & {
    readonly subscriptionId: string;
    readonly grantId: string;
    readonly planId: string;
  };

/**
 * Returns true if an add-on charge is in progress. A subscription can't have add-ons and a plan grant at the
 * same time (SUB-53, SUB-70).
 */
function isAddonChargePending(draft: Draft, subscription: SubscriptionRow): boolean {
  const invoiceId = pendingCharge(draft, subscription)?.invoiceId ?? null;
  return invoiceId !== null && draft.invoices.find(invoiceId)?.type === 'addon_activation';
}

/** Returns the reason why a subscription can't have a plan grant (SUB-53), or `null` if a plan grant is possible. */
function subscriptionRejection(draft: Draft, subscription: SubscriptionRow): Rejection | null {
  if (!isRecurring(subscription))
    return fieldRejection(
      'subscriptionId',
      'Plan grants require a subscription with a recurring billing interval.',
    );
  if (activeGrant(draft, subscription) !== null) {
    return specificRejection('duplicate', 'plan_grant', { param: 'subscriptionId' });
  }
  if (activeAddons(addonsOf(draft, subscription)).length > 0) {
    return fieldRejection(
      'subscriptionId',
      'The subscription has active add-ons. Deactivate the add-ons first.',
    );
  }
  return isAddonChargePending(draft, subscription) ? chargeInProgress : null;
}

/**
 * Grants a subscription access to a higher plan at the plan's current release (SUB-53, SUB-54). Checks, in
 * this order: the status, the plan, a recurring interval, another active grant, active add-ons, an add-on
 * charge in progress, the compatibility of the plans, and an expiration in the future.
 */
export const grantCreate = subscriptionCommand({
  kind: 'grant.create',
  needs: ({ planId }: Input) => ({ plans: [planId], grantedPlans: [planId] }),
  decide(draft: Draft, subscription: SubscriptionRow, command: Input): Decision {
    const rejection = statusRejection('grant', subscription);
    if (rejection !== null) return draft.reject(rejection);
    const { catalog } = draft.aggregate;
    const target = catalog.plans.get(command.planId);
    if (target === undefined || target.deletedAt !== null) {
      return draft.reject(defaultRejection('plan_not_found', { param: 'planId' }));
    }
    const release = releaseOf(catalog, target.id);
    const unfit =
      subscriptionRejection(draft, subscription) ??
      pairRejection(draft, subscription, target, release.seq) ??
      termRejection(command, draft.now);
    if (unfit !== null) return draft.reject(unfit);
    const widened = draft.subscriptions.patch(subscription.id, {
      grantedPlanId: target.id,
      grantedReleaseSeq: release.seq,
    });
    const expiresAt = endOf(subscription, command, draft.now);
    const { reason, source } = command;
    const grant = draft.grants.add({
      id: command.grantId,
      seq: null,
      customerId: subscription.customerId,
      subscriptionId: subscription.id,
      basePlanId: subscription.planId,
      planId: target.id,
      planReleaseId: release.id,
      status: 'active',
      duration: command.duration,
      durationCycles: command.durationCycles,
      startsAt: draft.now,
      expiresAt,
      reason,
      source,
      revokedAt: null,
      timeline: [
        entryOf(draft, { type: 'created', reason, source, ...requestedDuration(command) }, null, expiresAt),
      ],
      createdAt: draft.now,
      updatedAt: draft.now,
    });
    scheduleExpiry(draft, widened, grant);
    for (const event of planGrantCreated(draft.customer, widened, grant)) draft.emit(event);
    return draft.done('done', subscription.id);
  },
});
