import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { chargesUsage } from '../../domain/subscription/allowances/usage-charges.ts';
import { quoteCheckout } from '../../domain/subscription/payments/checkout-quote.ts';
import type {
  Aggregate,
  DecisionDeps,
  InvoiceLineRow,
  InvoiceRow,
  SubscriptionRow as Row,
} from '../../domain/subscription/state/aggregate.ts';
import { decideAndCharge, type Settled } from '../../engine/charge.ts';
import { type CommandInput, commandAt } from '../../engine/execute.ts';
import { chargedFor, type NextCharge, nextCharge, upcomingCharges } from '../../engine/next-charge.ts';
import { settlingGateways } from '../../engine/simulate.ts';
import { withSnapshot } from '../../engine/with-snapshot.ts';
import { nothingTyped } from '../checkout/quote.ts';
import { changeCommand } from '../plan-changes/change.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { requireShownPlan } from './change-plan.ts';
import { withMethod } from './load-extras.ts';
import { requireOwed, requireRestartable, shownSubscription } from './pay.ts';
import type { PortalAction } from './types/preview-input.ts';

/** What something a customer is about to do in the portal leads to; amounts in minor units. */
export type PortalPreview = {
  readonly subscription: SubscriptionRow;
  readonly currency: string;
  /** What is charged at once, tax included. */
  readonly dueMinor: bigint;
  /** The invoice that is charged at once; null where none is. */
  readonly invoice: InvoiceRow | null;
  /** Its lines; null for one that is stored already. */
  readonly lines: readonly InvoiceLineRow[] | null;
  /** Whether it takes effect once a checkout has been paid. */
  readonly requiresCheckout: boolean;
  readonly effectiveAt: Date;
  /** When access ends because of it; null where it goes on. */
  readonly accessUntil: Date | null;
  /** What is charged before access ends; empty where it goes on. */
  readonly later: readonly NextCharge[];
  /** Whether usage until access ends cannot add to that. */
  readonly isFinal: boolean;
  /** What is no longer owed. */
  readonly withdrawnMinor: bigint;
  /** When what is bought lapses; null where it does not. */
  readonly lapsesAt: Date | null;
  /** What is charged next with it, and without it. */
  readonly next: NextCharge | null;
  readonly nextWithout: NextCharge | null;
};

/** The command of a change of seats; no event records it. */
const seatsCommand = ({ featureCode, count }: NonNullable<PortalAction['seatsSet']>): CommandInput => ({
  kind: 'counts.change',
  type: 'seats',
  changes: [{ eventId: '', featureCode, op: 'set', count: BigInt(count) }],
});

/** The command the portal's mutation would give. Throws what that throws before it decides. */
async function commandOf(
  ctx: Context,
  subscription: SubscriptionRow,
  action: PortalAction,
): Promise<CommandInput> {
  const { id: subscriptionId } = subscription;
  const {
    cancel,
    uncancel,
    planChange,
    scheduledChangeRevoke,
    paymentRetry,
    reactivate,
    creditsPurchase,
    balanceTopUp,
  } = action;
  if (cancel) return { kind: 'subscription.cancel', subscriptionId, reason: null, immediate: false };
  if (uncancel) return { kind: 'subscription.uncancel', subscriptionId };
  if (scheduledChangeRevoke) return { kind: 'subscription.revoke_change', subscriptionId };
  if (creditsPurchase)
    return { kind: 'credits.purchase', subscriptionId, creditPackId: creditsPurchase.creditPackId };
  if (balanceTopUp)
    return { kind: 'balance.topup', subscriptionId, amountMinor: BigInt(balanceTopUp.amount) };
  if (action.seatsSet) return seatsCommand(action.seatsSet);
  if (action.addonActivate)
    return { kind: 'addon.activate', subscriptionId, addonId: action.addonActivate.addonId };
  if (action.addonDeactivate)
    return { kind: 'addon.deactivate', subscriptionId, addonId: action.addonDeactivate.addonId };
  if (planChange) {
    await requireShownPlan(ctx, subscription, planChange.planId);
    return changeCommand(
      subscriptionId,
      { newPlanId: planChange.planId, newBillingInterval: planChange.billingInterval },
      true,
    );
  }
  if (paymentRetry) {
    requireOwed(subscription);
    return { kind: 'subscription.retry', subscriptionId };
  }
  if (!reactivate) throw new Error('The input names nothing to do.');
  await requireRestartable(ctx, subscription);
  return { kind: 'subscription.reactivate', subscriptionId, offerId: null };
}

/**
 * What a customer is about to do leads to, by the very decision it would come to, with a charge that settles; nothing is written or charged.
 * Throws what doing it would throw, but for declines and a missing card.
 */
export async function previewShown(ctx: Context, action: PortalAction): Promise<PortalPreview> {
  const subscription = await shownSubscription(ctx);
  const command = await commandOf(ctx, subscription, action);
  const { id, customerId } = subscription;
  return withSnapshot(ctx, customerId, [command], ({ aggregate, now, deps }) => {
    const before = withMethod(aggregate, id);
    const settled = decideAndCharge(settlingGateways, before, commandAt(command, now), deps);
    const { finalOutcome } = settled;
    if (finalOutcome.kind === 'rejection') throw new QuittanceError(finalOutcome);
    const lapsesAt = action.balanceTopUp ? subscription.windowEnd : null;
    return { subscription, lapsesAt, ...consequences({ before, settled, id, now, deps }) };
  });
}

type Decided = {
  readonly before: Aggregate;
  readonly settled: Settled;
  readonly id: string;
  readonly now: Date;
  readonly deps: DecisionDeps;
};

function requireRow({ subscriptions }: Aggregate, id: string): Row {
  const row = subscriptions.find((one) => one.id === id);
  if (row === undefined) throw new Error(`The subscription ${id} is not in the aggregate.`);
  return row;
}

function consequences({
  before,
  settled,
  id,
  now,
  deps,
}: Decided): Omit<PortalPreview, 'subscription' | 'lapsesAt'> {
  const { aggregate, changes } = settled;
  const [was, is] = [requireRow(before, id), requireRow(aggregate, id)];
  const requiresCheckout = is.checkoutInvoiceId !== null && is.checkoutInvoiceId !== was.checkoutInvoiceId;
  const after = requiresCheckout ? paidCheckout(settled, id, now, deps) : aggregate;
  const accessUntil = endBy(was, is);
  const invoices = [...changes.invoices.values()];
  const shown =
    invoices.find(({ flag }) => flag === 'new') ?? invoices.find(({ row }) => row.status === 'paid');
  const voided = accessUntil === null ? [] : invoices.filter(({ row }) => row.status === 'void');
  return {
    currency: shown?.row.currency ?? is.currency,
    dueMinor: shown === undefined ? 0n : chargedFor(changes, shown.row),
    invoice: shown?.row ?? null,
    lines: shown?.flag === 'new' ? changes.lines.filter(({ invoiceId }) => invoiceId === shown.row.id) : null,
    requiresCheckout,
    effectiveAt: accessUntil ?? waitsUntil(was, is) ?? now,
    accessUntil,
    later: accessUntil === null ? [] : [...upcomingCharges(aggregate, id, now, deps)],
    isFinal: accessUntil === null || is.status === 'canceled' || !chargesUsage(aggregate, is, now),
    withdrawnMinor: voided.reduce((sum, { row }) => sum + row.total, 0n),
    next: nextCharge(after, id, now, deps),
    nextWithout: nextCharge(before, id, now, deps),
  };
}

/** The customer's state once the checkout that was opened has been paid; as it is where that cannot be computed. */
function paidCheckout(
  { aggregate }: Settled,
  subscriptionId: string,
  now: Date,
  deps: DecisionDeps,
): Aggregate {
  const quote = quoteCheckout(aggregate, { subscriptionId, now, ...nothingTyped }, deps);
  return 'code' in quote ? aggregate : quote.paid;
}

/** When access ends by what was decided; null where it goes on, or had ended before. */
function endBy(was: Row, is: Row): Date | null {
  const ends = ({ status, cancelAtPeriodEnd }: Row): boolean => status === 'canceled' || cancelAtPeriodEnd;
  return ends(is) && !ends(was) ? is.endDate : null;
}

/** When a change takes effect that was made to wait; null where none was. */
function waitsUntil(was: Row, is: Row): Date | null {
  const change = is.scheduledChange;
  return change === null || change === was.scheduledChange ? null : new Date(change.scheduledFor);
}
