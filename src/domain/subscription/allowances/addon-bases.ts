// Add-on prices per billing period: the current catalog price, converted at the plan's exchange rate (SUB-72,
// CAT-43, CAT-44).

import type { Rejection } from '../../errors/errors.ts';
import type { AddonDetails, UsageDetails } from '../../invoicing/line.ts';
import type { AddonRow } from '../../pricing/catalog.ts';
import { type DayShare, planPrice, versionAt } from '../../pricing/resolve.ts';
import type { Explanation } from '../../rows/explanation.ts';
import type { AddonActivationRow, SubscriptionRow } from '../../rows/rows.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { activeAddons } from '../../usage/terms.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import { addonsOf } from './allowance.ts';

/**
 * Usage of a feature in a usage window. `window` is its elapsed part in whole days. `waived` is the price of carried usage that the pool
 * didn't cover.
 */
export type WindowUsage = UsageDetails & { readonly windowStart: Date; readonly waived: bigint };

/** Usage of the feature that an add-on provides. */
export type AddonUsage = { readonly addonId: string; readonly usage: WindowUsage };

/**
 * Returns the price of an add-on for a full or partial period, in the subscription's currency. `null` if the
 * plan has no exchange rate for the currency.
 */
export function addonPrice(
  draft: Draft,
  subscription: Pick<SubscriptionRow, 'planId' | 'currency'>,
  { id }: AddonRow,
  share?: DayShare,
): Explanation | null {
  const { catalog } = draft.aggregate;
  const version = versionAt(catalog.addonVersions.get(id) ?? [], draft.dueAt);
  if (version === null) throw new Error(`The add-on ${id} has no version in force.`);
  const rule = share === undefined ? 'SUB-72' : 'SUB-71';
  return planPrice(rule, catalog, subscription, draft.dueAt, version.basePriceMinor, share);
}

const activeOn = (draft: Draft, subscription: SubscriptionRow): AddonActivationRow[] =>
  activeAddons(addonsOf(draft, subscription));

/**
 * Returns the rejection for a new billing period if an add-on has no price in the subscription's
 * currency. `null` if every add-on has a price. Checks the active add-ons by default.
 */
export const addonRateRejection = (
  draft: Draft,
  subscription: SubscriptionRow,
  opened: readonly AddonActivationRow[] = activeOn(draft, subscription),
): Rejection | null =>
  opened.some(
    ({ addonId }) => addonPrice(draft, subscription, addonById(draft.aggregate.catalog, addonId)) === null,
  )
    ? priceRejection('missing_regional_price')
    : null;

/**
 * Returns the add-on details for an invoice, sorted by name. Contains the base prices if the invoice opens
 * a billing period, and the charges for the add-ons' features. By default, covers the active add-ons.
 */
export function addonDetails(
  draft: Draft,
  subscription: SubscriptionRow,
  owed: readonly AddonUsage[],
  isPeriodOpened: boolean,
  opened: readonly AddonActivationRow[] = activeOn(draft, subscription),
): AddonDetails[] {
  const { catalog } = draft.aggregate;
  const charged = isPeriodOpened ? opened.map(({ addonId }) => addonById(catalog, addonId)) : [];
  const bases = new Map(charged.map((addon) => [addon.id, addonPrice(draft, subscription, addon)] as const));
  const usage = new Map(owed.map((one) => [one.addonId, one.usage]));
  return [...new Set([...bases.keys(), ...usage.keys()])]
    .map((id) => addonById(catalog, id))
    .sort((a, b) => (a.name === b.name ? Number(a.seq - b.seq) : a.name < b.name ? -1 : 1))
    .map(({ id, name }) => ({ name, base: bases.get(id) ?? null, usage: usage.get(id) ?? null }));
}
