import { type Catalog, catalogOf } from '../domain/pricing/catalog.ts';
import { lockAddons } from './load-addons.ts';
import type { LoadBatch } from './load-batch.ts';
import { loadCatalogRows, plansOf } from './load-catalog.ts';
import { lockGrantedPlans } from './load-grants.ts';
import { countriesFor } from './load-named.ts';

/** Plans of the subscriptions, those they change to or wait to be paid for, and those commands name. */
async function planIdsOf(batch: LoadBatch): Promise<string[]> {
  const subscriptions = await batch.get('subscriptions');
  const ids = new Set([...batch.named.plans, ...plansOf(subscriptions)]);
  for (const { scheduledChange } of subscriptions)
    if (scheduledChange !== null) ids.add(scheduledChange.newPlanId);
  for (const { purchase } of await batch.get('invoices'))
    if (purchase !== null && 'toPlanId' in purchase) ids.add(purchase.toPlanId);
  return [...ids];
}

/**
 * The catalog the commands can need: the plans, and the add-ons that are active, bought or named. What is named to be bought or granted is
 * locked before.
 */
export async function loadBatchCatalog(batch: LoadBatch): Promise<Catalog> {
  const { ctx, named } = batch;
  // What an open invoice buys takes effect with the answer to its charge, for sale or not by then.
  const invoices = await batch.get('invoices');
  const addons = await batch.get('addons');
  const bought = invoices.flatMap(({ purchase }) =>
    purchase !== null && 'addonId' in purchase ? [purchase.addonId] : [],
  );
  const addonIds = [
    ...addons.map(({ addonId }) => addonId),
    ...bought,
    ...(await lockAddons(ctx, named.addons)),
  ];
  await lockGrantedPlans(ctx, named.grantedPlans);
  const rows = await loadCatalogRows(ctx, {
    planIds: await planIdsOf(batch),
    planCodes: named.planCodes,
    priceIds: named.prices,
    featureCodes: named.featureCodes,
    countries: countriesFor(batch.customers, named),
    addonIds,
  });
  return catalogOf(rows);
}
