// Lookup of add-ons. An add-on is charged for the remaining billing period when it is added, and can
// be removed immediately (SUB-70 to SUB-73).
import type { Rejection } from '../../errors/errors.ts';
import { defaultRejection } from '../../errors/errors.ts';
import type { AddonRow } from '../../pricing/catalog.ts';
import type { AddonActivationRow, SubscriptionRow } from '../../rows/rows.ts';
import { activeAddons } from '../../usage/terms.ts';
import { addonsOf } from '../allowances/allowance.ts';
import type { Draft } from '../state/draft.ts';

/** Returns an add-on by ID or slug. `null` if it doesn't exist or is deleted. */
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
