// What active add-ons cost per billing period: the catalogue's price of the moment, by the plan's exchange rate (SUB-72, CAT-43, CAT-44).
import { addonById } from '../consumption/addon-terms.ts';
import { activeAddons } from '../consumption/terms.ts';
import type { Refusal } from '../errors.ts';
import type { Explanation } from '../invoice/explanation.ts';
import type { AddonFacts, UsageFacts } from '../invoice/line.ts';
import type { AddonRow } from '../pricing/catalog.ts';
import { type DayShare, planPrice, versionAt } from '../pricing/resolve.ts';
import { addonsOf } from './allowance.ts';
import { priceRefusal } from './refusals.ts';
import type { AddonActivationRow, SubscriptionRow } from './rows.ts';
import type { Work } from './work.ts';

/** Use of an add-on's own feature. */
export type AddonUsage = { readonly addonId: string; readonly usage: UsageFacts };

/** What an add-on costs at the due instant, for a period or a share of one, in the subscription's currency; null without an exchange rate. */
export function addonPrice(
  work: Work,
  subscription: Pick<SubscriptionRow, 'planId' | 'currency'>,
  { id }: AddonRow,
  share?: DayShare,
): Explanation | null {
  const { catalog } = work.aggregate;
  const version = versionAt(catalog.addonVersions.get(id) ?? [], work.dueAt);
  if (version === null) throw new Error(`The add-on ${id} has no version in force.`);
  const rule = share === undefined ? 'SUB-72' : 'SUB-71';
  return planPrice(rule, catalog, subscription, work.dueAt, version.basePriceMinor, share);
}

/** The add-ons active on a subscription. */
const activeOn = (work: Work, subscription: SubscriptionRow): AddonActivationRow[] => activeAddons(addonsOf(work, subscription));

/**
 * The refusal of a period that opens with an add-on that has no price in the currency; null when all have one. Changes nothing. The add-ons are
 * those active, unless others are told.
 */
export const addonRateRefusal = (
  work: Work,
  subscription: SubscriptionRow,
  opened: readonly AddonActivationRow[] = activeOn(work, subscription),
): Refusal | null =>
  opened.some(({ addonId }) => addonPrice(work, subscription, addonById(work.aggregate.catalog, addonId)) === null)
    ? priceRefusal('missing_regional_price')
    : null;

/**
 * What add-ons put on an invoice, by name: their bases where a billing period opens, and what their own features owe. Those that are charged
 * for the period are the active ones, unless others are told.
 */
export function addonFacts(
  work: Work,
  subscription: SubscriptionRow,
  owed: readonly AddonUsage[],
  isPeriodOpened: boolean,
  opened: readonly AddonActivationRow[] = activeOn(work, subscription),
): AddonFacts[] {
  const { catalog } = work.aggregate;
  const charged = isPeriodOpened ? opened.map(({ addonId }) => addonById(catalog, addonId)) : [];
  const bases = new Map(charged.map((addon) => [addon.id, addonPrice(work, subscription, addon)] as const));
  const usage = new Map(owed.map((one) => [one.addonId, one.usage]));
  return [...new Set([...bases.keys(), ...usage.keys()])]
    .map((id) => addonById(catalog, id))
    .sort((a, b) => (a.name === b.name ? Number(a.seq - b.seq) : a.name < b.name ? -1 : 1))
    .map(({ id, name }) => ({ name, base: bases.get(id) ?? null, usage: usage.get(id) ?? null }));
}
