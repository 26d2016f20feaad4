// Add-ons on a subscription: switched on for what is left of the billing period, switched off at once (SUB-70
// to SUB-73).
import type { Rejection } from '../../errors.ts';
import { defaultRejection } from '../../errors.ts';
import type { AddonRow } from '../../pricing/catalog.ts';
import { activeAddons } from '../../usage/terms.ts';
import { addonsOf } from '../allowances/allowance.ts';
import type { Draft } from '../state/draft.ts';
import type { AddonActivationRow, SubscriptionRow } from '../state/rows.ts';

/** A living add-on by id, else by slug; null without one. */
export function findAddon(draft: Draft, reference: string): AddonRow | null {
  const living = [...draft.aggregate.catalog.addons.values()].filter(({ deletedAt }) => deletedAt === null);
  return living.find(({ id }) => id === reference) ?? living.find(({ slug }) => slug === reference) ?? null;
}

export const unknownAddon: Rejection = defaultRejection('addon_not_found', { param: 'addonId' });

export const activeOf = (
  draft: Draft,
  subscription: SubscriptionRow,
  { id }: AddonRow,
): AddonActivationRow | null =>
  activeAddons(addonsOf(draft, subscription)).find(({ addonId }) => addonId === id) ?? null;
