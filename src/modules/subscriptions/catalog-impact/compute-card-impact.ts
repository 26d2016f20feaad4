import { cardFavor } from '../../../domain/rates/compare-cards.ts';
import type { Context } from '../../../request/context.ts';
import { addonRows } from '../../catalog/add-ons/store.ts';
import { type CardChanges, changedRates } from '../../catalog/plan-features/set-rate-card.ts';
import { cardUsers, rateCardRows } from '../../catalog/rates/store.ts';
import { billChanges } from './compute-bill-change.ts';
import { type CatalogImpact, impactOf, noImpact } from './compute-impact.ts';
import { readSubscribers } from './store.ts';

/** New rates of a rate card. */
type CardChange = CardChanges & { readonly id: string };

/**
 * Returns the impact of new rates of a rate card on the subscribers of plans and add-ons that refer to it (PRM-6). Rates that aren't
 * higher everywhere can lower prices immediately, because the lower of the old and the new price applies in current periods (PRM-5).
 * Throws `not_found` if the card doesn't exist, and `validation_error` if the rates are invalid.
 */
export async function cardImpact(ctx: Context, { id, ...changes }: CardChange): Promise<CatalogImpact> {
  const row = await rateCardRows.require(ctx, id, 'id');
  const rates = changedRates(row, changes);
  const favor = cardFavor(row, rates);
  if (favor === 'neither') return noImpact;
  const { features, addonIds } = await cardUsers(ctx, row.id);
  const planIds = features.map(({ planId }) => planId);
  const isLater = favor === 'merchant';
  const groups = await readSubscribers(ctx.sql, { planIds, addonIds }, isLater);
  const impact = impactOf(
    groups,
    isLater ? 'at_next_period' : 'immediately',
    favor,
    isLater ? {} : { now: ctx.clock.now() },
  );
  const addons = await Promise.all(
    addonIds.map(async (addonId) => ({
      addonId,
      featureId: (await addonRows.require(ctx, addonId)).featureId,
    })),
  );
  const bills = await billChanges(ctx.sql, { plans: features, addons }, isLater, {
    rate: rates.card,
    overrides: rates.overrides,
    includedAmount: null,
    wasCharged: true,
    isCharged: true,
  });
  return { ...impact, bills };
}
