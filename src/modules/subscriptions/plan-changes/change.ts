import type { FieldProblem } from '../../../domain/errors/errors.ts';
import { maxOf } from '../../../domain/money/money.ts';
import type { BillingInterval } from '../../../domain/rows/enums.ts';
import type { PlanChangePurchase, ScheduledChange } from '../../../domain/rows/rows.ts';
import { scheduledSeatsBeyond } from '../../../domain/subscription/plan-change/change-preview.ts';
import type { CommandResult } from '../../../domain/subscription/state/aggregate.ts';
import { withSnapshot } from '../../../engine/preview/with-snapshot.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { loadCreditBalance } from '../../customers/credits/store.ts';
import { findCreditLines } from '../../invoices/invoices/store.ts';
import { findProvidedOffer, type ProvidedOffer } from '../offer-applications/store.ts';
import { loadBoundPrice } from '../subscriptions/load-terms.ts';
import { openCheckoutUrl, requireSubscription, type SubscriptionRow } from '../subscriptions/store.ts';

/** Parameters for changing the plan. Requires a plan, an interval, or both. */
type ChangePlanInput = {
  readonly id: string;
  readonly newPlanId?: string | null | undefined;
  readonly newBillingInterval?: BillingInterval | null | undefined;
  readonly offerId?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
};

/** Warning: the customer has more seats than the new plan includes. */
export type SeatLimitWarning = {
  readonly featureCode: string;
  readonly featureName: string;
  readonly currentSeats: bigint;
  readonly included: bigint;
  readonly newPlanName: string;
  readonly effectiveDate: Date;
};

/** Amounts of a completed change, in minor units (SUB-42). */
export type ChangeBilling = {
  readonly credit: bigint;
  readonly creditsApplied: bigint;
  readonly charge: bigint;
  readonly taxAmount: bigint;
  readonly netAmount: bigint;
  readonly totalCharged: bigint;
  readonly remainingCreditBalance: bigint;
};

/** Plan change result (SUB-38). */
export type PlanChangeResult =
  | {
      readonly outcome: 'requires_checkout';
      readonly checkoutUrl: string;
      readonly offerApplication: ProvidedOffer | null;
    }
  | {
      readonly outcome: 'scheduled';
      readonly subscription: SubscriptionRow;
      readonly change: ScheduledChange;
      readonly seatLimitWarning: SeatLimitWarning | null;
    }
  | {
      readonly outcome: 'completed';
      readonly subscription: SubscriptionRow;
      readonly previousPlan: Row<'Plan'>;
      readonly currentPlan: Row<'Plan'>;
      readonly priceMinor: bigint;
      readonly billing: ChangeBilling;
      readonly invoiceId: string | null;
      readonly offerApplication: ProvidedOffer | null;
    };

/** Returns a problem if the request doesn't specify a plan or an interval. */
export const changeIssues = ({
  newPlanId,
  newBillingInterval,
}: Pick<ChangePlanInput, 'newPlanId' | 'newBillingInterval'>): FieldProblem[] =>
  newPlanId == null && newBillingInterval == null
    ? [{ field: 'newPlanId', message: 'is required unless newBillingInterval is set' }]
    : [];

/** Returns the engine command for a plan change. Requests from a hosted page are marked as portal requests. */
export const changeCommand = (
  { caller }: Pick<Context, 'caller'>,
  { id, newPlanId, newBillingInterval, offerId, successUrl }: ChangePlanInput,
) =>
  ({
    kind: 'subscription.change_plan',
    subscriptionId: id,
    request: {
      newPlanId: newPlanId ?? null,
      newBillingInterval: newBillingInterval ?? null,
      offerId: offerId ?? null,
      isPortal: caller.kind === 'page',
    },
    successUrl: successUrl ?? null,
  }) as const;

/** Executed plan change, with the subscription before the change. */
type ExecutedChange = {
  readonly input: ChangePlanInput;
  readonly subject: SubscriptionRow;
  readonly done: CommandResult;
};

/** Returns the outcome of a plan change that was executed. */
export async function changeResult(
  ctx: Context,
  { input, subject: before, done: { invoiceId } }: ExecutedChange,
): Promise<PlanChangeResult> {
  const after = await requireSubscription(ctx, before.id);
  const offerApplication =
    input.offerId == null ? null : await findProvidedOffer(ctx, after.id, input.offerId);
  if (invoiceId !== null && after.checkoutInvoiceId === invoiceId) {
    return {
      outcome: 'requires_checkout',
      checkoutUrl: await openCheckoutUrl(ctx, after.id),
      offerApplication,
    };
  }
  const change = after.scheduledChange;
  if (change !== null) return scheduled(ctx, after, change);
  return { ...(await completed(ctx, before, after, invoiceId)), offerApplication };
}

async function scheduled(
  ctx: Context,
  subscription: SubscriptionRow,
  change: ScheduledChange,
): Promise<PlanChangeResult> {
  const { id: subscriptionId, customerId } = subscription;
  const order = changeCommand(ctx, { id: subscriptionId, newPlanId: change.newPlanId });
  const over = await withSnapshot(ctx, customerId, [order], ({ aggregate, now, deps }) =>
    scheduledSeatsBeyond(aggregate, { subscriptionId, now }, deps),
  );
  const seatLimitWarning =
    over === null
      ? null
      : {
          featureCode: over.feature.code,
          featureName: over.feature.name,
          currentSeats: over.seats,
          included: over.included,
          newPlanName: change.newPlanName,
          effectiveDate: new Date(change.scheduledFor),
        };
  return { outcome: 'scheduled', subscription, change, seatLimitWarning };
}

async function completed(
  ctx: Context,
  before: SubscriptionRow,
  subscription: SubscriptionRow,
  invoiceId: string | null,
) {
  const invoice = invoiceId === null ? null : await loadExistingRow(ctx, 'Invoice', invoiceId);
  const bought = invoice?.purchase ?? null;
  const purchase = bought !== null && 'toPlanId' in bought ? bought : null;
  const [previousPlan, currentPlan, price, billing] = await Promise.all([
    loadExistingRow(ctx, 'Plan', purchase?.fromPlanId ?? before.planId),
    loadExistingRow(ctx, 'Plan', subscription.planId),
    loadBoundPrice(ctx, subscription),
    billingOf(ctx, subscription, invoice, purchase),
  ]);
  return {
    outcome: 'completed',
    subscription,
    previousPlan,
    currentPlan,
    priceMinor: price?.amountMinor ?? 0n,
    billing,
    invoiceId,
  } as const;
}

async function billingOf(
  ctx: Context,
  { customerId, currency }: SubscriptionRow,
  invoice: Row<'Invoice'> | null,
  purchase: PlanChangePurchase | null,
): Promise<ChangeBilling> {
  const remainingCreditBalance = await loadCreditBalance(ctx, customerId, currency);
  if (invoice === null || purchase === null) {
    return {
      credit: 0n,
      creditsApplied: 0n,
      charge: 0n,
      taxAmount: 0n,
      netAmount: 0n,
      totalCharged: 0n,
      remainingCreditBalance,
    };
  }
  const lines = await findCreditLines(ctx, invoice.id);
  const { subtotal, discountAmount, taxAmount, total } = invoice;
  return {
    credit: BigInt(purchase.creditMinor),
    creditsApplied: lines.reduce((sum, { amount }) => sum - amount, 0n),
    charge: subtotal - discountAmount,
    taxAmount,
    netAmount: maxOf(0n, total - taxAmount),
    totalCharged: total,
    remainingCreditBalance,
  };
}
