// What begins and ends with an add-on on a subscription, whoever causes it.
import { addonById } from '../consumption/addon-terms.ts';
import { openPeriod } from '../consumption/counts.ts';
import { addonActivated, addonDeactivated } from '../consumption/event-data.ts';
import { activeAddons } from '../consumption/terms.ts';
import { addonsOf, countOf, isCountable, putCount } from './allowance.ts';
import type { AddonActivationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** What an activation cost; minor units before tax, and the invoice where there was something to charge. */
export type ActivationFacts = { readonly addonId: string; readonly proratedMinor: bigint; readonly invoiceId: string | null };

function featureOf(work: Work, addonId: string) {
  const addon = addonById(work.aggregate.catalog, addonId);
  const feature = work.aggregate.catalog.features.get(addon.featureId);
  if (feature === undefined) throw new Error(`The feature of the add-on ${addonId} is not in the catalogue.`);
  return { addon, feature };
}

/** Switches an add-on on and tells of it (SUB-71). A count the customer still has of its feature opens a period of its own. */
export function beginAddon(work: Work, subscription: SubscriptionRow, { addonId, proratedMinor, invoiceId }: ActivationFacts): void {
  const { addon, feature } = featureOf(work, addonId);
  work.addons.add({
    id: work.newId('ada'),
    seq: null,
    subscriptionId: subscription.id,
    addonId,
    status: 'active',
    proratedMinor,
    invoiceId,
    createdAt: work.now,
    deactivatedAt: null,
  });
  const count = countOf(work, feature);
  if (isCountable(feature) && count.seq !== null) putCount(work, openPeriod(count, work.now));
  for (const event of addonActivated({ customer: work.customer, subscription }, addon, feature, proratedMinor)) work.emit(event);
}

const ended = (work: Work, activation: AddonActivationRow): AddonActivationRow =>
  work.addons.put({ ...activation, status: 'inactive', deactivatedAt: work.now });

/** Switches an add-on off at once and tells of it; what its feature owes is billed with the next invoice (SUB-73). */
export function endAddon(work: Work, subscription: SubscriptionRow, activation: AddonActivationRow): void {
  const { addon, feature } = featureOf(work, activation.addonId);
  ended(work, activation);
  for (const event of addonDeactivated({ customer: work.customer, subscription }, addon, feature)) work.emit(event);
}

/** Switches all add-ons off with the subscription itself, whose own end tells of it (SUB-28). */
export function dropAddons(work: Work, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(work, subscription))) ended(work, activation);
}

/** Switches all add-ons off and tells of each: nobody pays for them (BIL-11). */
export function endAddons(work: Work, subscription: SubscriptionRow): void {
  for (const activation of activeAddons(addonsOf(work, subscription))) endAddon(work, subscription, activation);
}
