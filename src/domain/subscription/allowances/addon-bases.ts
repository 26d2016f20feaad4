// What active add-ons cost per billing period: the catalog's price of the moment, by the plan's exchange rate
// (SUB-72, CAT-43, CAT-44).

import type { Rejection } from '../../errors.ts';
import type { Explanation } from '../../invoicing/explanation.ts';
import type { AddonDetails, UsageDetails } from '../../invoicing/line.ts';
import type { AddonRow } from '../../pricing/catalog.ts';
import { type DayShare, planPrice, versionAt } from '../../pricing/resolve.ts';
import { addonById } from '../../usage/addon-terms.ts';
import { activeAddons } from '../../usage/terms.ts';
import type { Draft } from '../state/draft.ts';
import { priceRejection } from '../state/rejections.ts';
import type { AddonActivationRow, SubscriptionRow } from '../state/rows.ts';
import { addonsOf } from './allowance.ts';

/** Use of an add-on's own feature. */
export type AddonUsage = { readonly addonId: string; readonly usage: UsageDetails };

/**
 * What an add-on costs at the due instant, for a period or a share of one, in the subscription's currency;
 * null without an exchange rate.
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

/** The add-ons active on a subscription. */
const activeOn = (draft: Draft, subscription: SubscriptionRow): AddonActivationRow[] =>
  activeAddons(addonsOf(draft, subscription));

/**
 * The rejection of a period that opens with an add-on that has no price in the currency; null when all have
 * one. Changes nothing. Checks the active add-ons by default.
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
 * What add-ons put on an invoice, by name: their bases where a billing period opens, and what their own
 * features owe. The period charges the active ones by default.
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
