import type { AddonActivationRow, SubscriptionRow } from '../../rows/rows.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { openPeriod } from '../../usage/counts.ts';
import { addonActivated, addonDeactivated } from '../../usage/event-data.ts';
import { activeAddons } from '../../usage/terms.ts';
import type { Draft } from '../state/draft.ts';
import { addonsOf, countOf, isCountable, putCount } from './allowance.ts';

/** Details of an activation: its cost in minor units before tax, and its invoice. `invoiceId` is `null` if the activation has no invoice. */
export type ActivationDetails = {
  readonly addonId: string;
  readonly proratedMinor: bigint;
  readonly invoiceId: string | null;
};

function featureOf(draft: Draft, addonId: string) {
  const addon = addonById(draft.aggregate.catalog, addonId);
  const feature = draft.aggregate.catalog.features.get(addon.featureId);
  if (feature === undefined) throw new Error(`The feature of the add-on ${addonId} is not in the catalog.`);
  return { addon, feature };
}

/**
 * Adds an add-on to a subscription and emits its events (SUB-71). If the customer already has a count for
 * the add-on's feature, a new period starts for the count.
 */
export function beginAddon(
  draft: Draft,
  subscription: SubscriptionRow,
  { addonId, proratedMinor, invoiceId }: ActivationDetails,
): void {
  const { addon, feature } = featureOf(draft, addonId);
  draft.addons.add({
    id: draft.newId('ada'),
    seq: null,
    subscriptionId: subscription.id,
    addonId,
    status: 'active',
    proratedMinor,
    invoiceId,
    createdAt: draft.now,
    deactivatedAt: null,
    paidUntil: subscription.periodEnd,
  });
  const count = countOf(draft, feature);
  if (isCountable(feature) && count.seq !== null) putCount(draft, openPeriod(count, draft.now));
  for (const event of addonActivated(
    { customer: draft.customer, subscription },
    addon,
    feature,
    proratedMinor,
  ))
    draft.emit(event);
}

/** Returns the first unpaid day of a removed add-on. `null` if no day is paid (SUB-73). */
export function addonPaidUntil(draft: Draft, subscription: SubscriptionRow, addonId: string): Date | null {
  const paid = addonsOf(draft, subscription).flatMap((row) =>
    row.addonId === addonId && row.paidUntil !== null ? [row.paidUntil.getTime()] : [],
  );
  return paid.length === 0 ? null : new Date(Math.max(...paid));
}

/**
 * Clears the paid days of a refunded activation. Also clears later free activations of the same add-on,
 * because they relied on the refunded payment.
 */
export function refundAddon(draft: Draft, invoiceId: string): void {
  const rows = draft.addons.all();
  const refunded = rows.find((row) => row.invoiceId === invoiceId);
  if (refunded === undefined) return;
  const { subscriptionId, addonId, createdAt } = refunded;
  for (const row of rows) {
    const dependsOnRefund = row.invoiceId === null && row.createdAt >= createdAt;
    if (
      row === refunded ||
      (dependsOnRefund && row.subscriptionId === subscriptionId && row.addonId === addonId)
    )
      draft.addons.patch(row.id, { paidUntil: null });
  }
}

const ended = (
  draft: Draft,
  activation: AddonActivationRow,
  paidUntil: Date | null = null,
): AddonActivationRow =>
  draft.addons.patch(activation.id, { status: 'inactive', deactivatedAt: draft.now, paidUntil });

/**
 * Returns the end of the period that an active add-on is paid for. `null` if the payment for this period
 * was refunded.
 */
function paidFor(draft: Draft, { subscriptionId, createdAt, paidUntil }: AddonActivationRow): Date | null {
  // Use the period from before the command, because a plan change opens the new period before it ends
  // add-ons that the new plan doesn't include.
  const before = draft.aggregate.subscriptions.find(({ id }) => id === subscriptionId);
  const periodStart = before?.periodStart ?? null;
  const isOfPeriod = periodStart !== null && createdAt >= periodStart;
  return isOfPeriod && paidUntil === null ? null : (before?.periodEnd ?? null);
}

/**
 * Removes an add-on immediately and emits the events. Usage of its feature is billed with the next invoice
 * (SUB-73). If `isPaid` is `false`, the add-on has no paid days.
 */
export function endAddon(
  draft: Draft,
  subscription: SubscriptionRow,
  activation: AddonActivationRow,
  isPaid = true,
): void {
  const { addon, feature } = featureOf(draft, activation.addonId);
  ended(draft, activation, isPaid ? paidFor(draft, activation) : null);
  for (const event of addonDeactivated({ customer: draft.customer, subscription }, addon, feature))
    draft.emit(event);
}

/** Removes all add-ons of an ended subscription without emitting events (SUB-28). */
export function dropAddons(draft: Draft, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(draft, subscription))) ended(draft, activation);
}

/** Removes all add-ons of a subscription, marks them as unpaid, and emits their events (BIL-11). */
export function endAddons(draft: Draft, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(draft, subscription)))
    endAddon(draft, subscription, activation, false);
}
