// What begins and ends with an add-on on a subscription.
import { addonById } from '../../usage/addon-terms.ts';
import { openPeriod } from '../../usage/counts.ts';
import { addonActivated, addonDeactivated } from '../../usage/event-data.ts';
import { activeAddons } from '../../usage/terms.ts';
import type { Draft } from '../state/draft.ts';
import type { AddonActivationRow, SubscriptionRow } from '../state/rows.ts';
import { addonsOf, countOf, isCountable, putCount } from './allowance.ts';

/** The cost of an activation, minor units before tax, and its invoice where there is one. */
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
 * Switches an add-on on and describes it (SUB-71). A count the customer still has of its feature opens a
 * period of its own.
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

const ended = (draft: Draft, activation: AddonActivationRow): AddonActivationRow =>
  draft.addons.patch(activation.id, { status: 'inactive', deactivatedAt: draft.now });

/**
 * Switches an add-on off at once and describes it; what its feature owes is billed with the next invoice
 * (SUB-73).
 */
export function endAddon(draft: Draft, subscription: SubscriptionRow, activation: AddonActivationRow): void {
  const { addon, feature } = featureOf(draft, activation.addonId);
  ended(draft, activation);
  for (const event of addonDeactivated({ customer: draft.customer, subscription }, addon, feature))
    draft.emit(event);
}

/** Switches all add-ons off with the subscription itself, whose own end describes it (SUB-28). */
export function dropAddons(draft: Draft, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(draft, subscription))) ended(draft, activation);
}

/** Switches all add-ons off and describes each: nobody pays for them (BIL-11). */
export function endAddons(draft: Draft, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(draft, subscription)))
    endAddon(draft, subscription, activation);
}
