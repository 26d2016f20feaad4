import type { Context } from '../../context.ts';
import { usableAmount } from '../../domain/customer-credits.ts';
import { type FieldProblem, QuittanceError } from '../../domain/errors.ts';
import { maxOf } from '../../domain/money.ts';
import { type ChangePreview, previewChange, scheduledSeatsBeyond } from '../../domain/subscription/change-preview.ts';
import type { PlanChangePurchase, ScheduledChange } from '../../domain/subscription/rows.ts';
import type { BillingInterval } from '../../domain/words.ts';
import { askAbout } from '../../engine/ask.ts';
import { executeAnswered, executeOne } from '../../engine/execute.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { requireSubscription, type SubscriptionRow } from './find.ts';
import { findGivenOffer, type GivenOffer, givenOfferOf } from './given-offer.ts';
import { openCheckoutUrl } from './service.ts';
import { loadBoundPrice } from './terms.ts';

/** What to move to; at least one of plan and interval. */
export type ChangePlanInput = {
  readonly id: string;
  readonly newPlanId?: string | null | undefined;
  readonly newBillingInterval?: BillingInterval | null | undefined;
  readonly offerId?: string | null | undefined;
  readonly successUrl?: string | null | undefined;
};

/** Seats that will not fit the plan to come. */
export type SeatLimitWarning = {
  readonly featureCode: string;
  readonly featureName: string;
  readonly currentSeats: bigint;
  readonly included: bigint;
  readonly newPlanName: string;
  readonly effectiveDate: Date;
};

/** Amounts of a change that took effect, minor units (SUB-42). */
export type ChangeBilling = {
  readonly credit: bigint;
  readonly creditsApplied: bigint;
  readonly charge: bigint;
  readonly taxAmount: bigint;
  readonly netAmount: bigint;
  readonly totalCharged: bigint;
  readonly remainingCreditBalance: bigint;
};

/** What came of a change (SUB-38). */
export type PlanChangeResult =
  | { readonly outcome: 'requires_checkout'; readonly checkoutUrl: string; readonly offerApplication: GivenOffer | null }
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
      readonly offerApplication: GivenOffer | null;
    };

/** What is wrong with a request that names nothing to move to. */
export const changeIssues = ({
  newPlanId,
  newBillingInterval,
}: Pick<ChangePlanInput, 'newPlanId' | 'newBillingInterval'>): FieldProblem[] =>
  newPlanId == null && newBillingInterval == null ? [{ field: 'newPlanId', message: 'Give newPlanId, newBillingInterval, or both.' }] : [];

const requestOf = ({ newPlanId, newBillingInterval, offerId }: Omit<ChangePlanInput, 'id'>, isPortal: boolean) => ({
  newPlanId: newPlanId ?? null,
  newBillingInterval: newBillingInterval ?? null,
  offerId: offerId ?? null,
  isPortal,
});

/** The order a request gives to the engine; `isPortal` where the customer asks. */
export const changeOrder = (subscriptionId: string, input: Omit<ChangePlanInput, 'id'>, isPortal = false) =>
  ({
    kind: 'subscription.change_plan',
    subscriptionId,
    request: requestOf(input, isPortal),
    successUrl: input.successUrl ?? null,
  }) as const;

/**
 * Moves a subscription to another plan or interval and tells what came of it (SUB-37 to SUB-50). `isPortal` where the customer asks, who may
 * choose public plans only. Throws the codes of SUB-37, `charge_failed` after a decline, which changes nothing, and `charge_in_progress`.
 */
export async function changePlan(context: Context, input: ChangePlanInput, isPortal = false): Promise<PlanChangeResult> {
  const before = await requireSubscription(context, input.id);
  const { invoiceId } = await executeAnswered(context, before.customerId, changeOrder(before.id, input, isPortal));
  const after = await requireSubscription(context, before.id);
  const offerApplication = input.offerId == null ? null : await findGivenOffer(context, after.id, input.offerId);
  if (invoiceId !== null && after.checkoutInvoiceId === invoiceId) {
    return { outcome: 'requires_checkout', checkoutUrl: await openCheckoutUrl(context, after.id), offerApplication };
  }
  // The engine is the only writer of the column and stores exactly this.
  const change = after.scheduledChange as unknown as ScheduledChange | null;
  if (change !== null) return scheduled(context, after, change);
  return { ...(await completed(context, before, after, invoiceId)), offerApplication };
}

async function scheduled(context: Context, subscription: SubscriptionRow, change: ScheduledChange): Promise<PlanChangeResult> {
  const { id: subscriptionId, customerId } = subscription;
  const order = changeOrder(subscriptionId, { newPlanId: change.newPlanId });
  const over = await askAbout(context, customerId, [order], ({ aggregate, now, tools }) =>
    scheduledSeatsBeyond(aggregate, { subscriptionId, now }, tools),
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

async function completed(context: Context, before: SubscriptionRow, subscription: SubscriptionRow, invoiceId: string | null) {
  const invoice = invoiceId === null ? null : await loadExistingRow(context, 'Invoice', invoiceId);
  // The engine is the only writer of the column; an invoice of a change says what it changed.
  const purchase = (invoice?.purchase ?? null) as unknown as PlanChangePurchase | null;
  const [previousPlan, currentPlan, price, billing] = await Promise.all([
    loadExistingRow(context, 'Plan', purchase?.fromPlanId ?? before.planId),
    loadExistingRow(context, 'Plan', subscription.planId),
    loadBoundPrice(context, subscription),
    billingOf(context, subscription, invoice, purchase),
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
  context: Context,
  { customerId, currency }: SubscriptionRow,
  invoice: Row<'Invoice'> | null,
  purchase: PlanChangePurchase | null,
): Promise<ChangeBilling> {
  const now = context.clock.now();
  const credits = await context.db.customerCredit.findMany({ where: { customerId, currency, remainingMinor: { gt: 0n } } });
  const remainingCreditBalance = credits.reduce((sum, credit) => sum + usableAmount(credit, now), 0n);
  if (invoice === null || purchase === null) {
    return { credit: 0n, creditsApplied: 0n, charge: 0n, taxAmount: 0n, netAmount: 0n, totalCharged: 0n, remainingCreditBalance };
  }
  const lines = await context.db.invoiceLine.findMany({ where: { invoiceId: invoice.id, creditId: { not: null } } });
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

/** A preview with the offer as it is shown. */
export type PreviewedChange = Omit<ChangePreview, 'offerApplication'> & { readonly offerApplication: GivenOffer | null };

/** What to preview; `planId` may be the current plan. */
export type PreviewChangeInput = {
  readonly id: string;
  readonly planId: string;
  readonly billingInterval?: BillingInterval | null | undefined;
  readonly offerId?: string | null | undefined;
};

/** Works out a change at once without doing it (SUB-51). Throws the codes of SUB-37, and `plan_change_scheduled` for one that would wait. */
export async function previewPlanChange(context: Context, input: PreviewChangeInput): Promise<PreviewedChange> {
  const { id: subscriptionId, customerId } = await requireSubscription(context, input.id);
  const { planId: newPlanId, billingInterval: newBillingInterval, offerId } = input;
  const order = changeOrder(subscriptionId, { newPlanId, newBillingInterval, offerId });
  const { request } = order;
  const preview = await askAbout(context, customerId, [order], ({ aggregate, now, tools }) =>
    previewChange(aggregate, { subscriptionId, request, now }, tools),
  );
  if ('code' in preview) throw new QuittanceError(preview.code, preview.message, { param: preview.param, details: preview.details });
  const { offerApplication, ...figures } = preview;
  return { ...figures, offerApplication: offerApplication === null ? null : givenOfferOf(offerApplication) };
}

/** Withdraws the change that waits for the end of the period, and answers the subscription. Throws `no_change_requested` where none does. */
export async function revokeScheduledChange(context: Context, id: string): Promise<SubscriptionRow> {
  const { customerId } = await requireSubscription(context, id);
  await executeOne(context, customerId, { kind: 'subscription.revoke_change', subscriptionId: id });
  return requireSubscription(context, id);
}
