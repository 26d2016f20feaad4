import { type Catalog, catalogOf } from '../../domain/pricing/catalog.ts';
import { lockAddons } from './addons.ts';
import type { LoadBatch } from './batch.ts';
import { loadCatalogRows, plansOf } from './catalog.ts';
import { lockGrantedPlans } from './grants.ts';
import { countriesFor } from './named.ts';

/**
 * Returns the IDs of plans used by the subscriptions, by scheduled and unpaid plan changes, and by the
 * commands.
 */
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
 * Loads the catalog for a batch of commands: the plans of their subscriptions, and the add-ons that are
 * active, being purchased, or referenced. Locks add-ons and plans that are being purchased or granted.
 */
export async function loadBatchCatalog(batch: LoadBatch): Promise<Catalog> {
  const { ctx, named } = batch;
  // An open invoice's purchase takes effect when the invoice is paid, even if the purchased item has since
  // been archived.
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
