import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { AddonTerms } from '../../domain/pricing/addon-terms.ts';
import { localMinor } from '../../domain/pricing/regional.ts';
import { activationTerms } from '../../domain/usage/addon-terms.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';
import { loadExchangeRates } from '../regional-pricing/load-current.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { loadCurrentSubscription } from '../subscriptions/store.ts';

export type AddonActivationRow = Row<'AddonActivation'>;

/** The customer's subscription while it gives access. Throws `customer_not_found` and `no_active_subscription`. */
export async function requireAccessSubscription(ctx: Context, customer: string): Promise<SubscriptionRow> {
  const { id } = await requireCustomer(ctx, customer, 'customerId');
  const subscription = await loadCurrentSubscription(ctx, id);
  if (subscription === null || !hasAccess(subscription)) {
    throw specificError('no_active_subscription', 'in_force', {
      param: 'customerId',
    });
  }
  return subscription;
}

/** An amount a renewal charges; minor units of `currency`. */
export type RenewalPrice = { readonly currency: string; readonly amountMinor: bigint };

/**
 * What a renewal charges for the add-on as the catalog stands now: in the subscription's currency by its plan's exchange rate (CAT-44), in
 * US cents where the plan has no rate for that currency. Batched.
 */
export async function loadRenewalPrice(
  ctx: Context,
  activation: Pick<AddonActivationRow, 'addonId' | 'subscriptionId'>,
): Promise<RenewalPrice> {
  const { basePriceMinor } = await loadExistingRow(ctx, 'Addon', activation.addonId);
  const { currency, planId } = await loadExistingRow(ctx, 'Subscription', activation.subscriptionId);
  const rates = currency === 'usd' ? [] : await loadExchangeRates(ctx, planId);
  const rate = rates.find((row) => row.currency === currency);
  if (rate === undefined) return { currency: 'usd', amountMinor: basePriceMinor };
  return { currency, amountMinor: localMinor(basePriceMinor, rate.rateE8, currency) };
}

/** The feature an add-on brings. Batched. */
export const loadAddonFeature = async (ctx: Context, addonId: string): Promise<Row<'Feature'>> =>
  loadExistingRow(ctx, 'Feature', (await loadExistingRow(ctx, 'Addon', addonId)).featureId);

/** The terms the activation is held at now, or at its end when it has ended (CAT-43, CAT-49). Batched. */
export async function loadHeldAddonTerms(
  ctx: Context,
  activation: Pick<AddonActivationRow, 'addonId' | 'subscriptionId' | 'createdAt' | 'deactivatedAt'>,
): Promise<AddonTerms> {
  const versions = await loadRowsBy(ctx, 'AddonVersion', 'addonId', activation.addonId, 'seq');
  const { termsFrom } = await loadExistingRow(ctx, 'Subscription', activation.subscriptionId);
  return activationTerms(versions, activation, termsFrom, activation.deactivatedAt ?? ctx.clock.now());
}

/** The latest activation of an add-on on a subscription. Throws when there never was one, which its callers rule out. */
export async function requireActivation(
  ctx: Context,
  subscriptionId: string,
  addonId: string,
): Promise<AddonActivationRow> {
  const activation = await ctx.db.addonActivation.findFirst({
    where: { subscriptionId, addonId },
    orderBy: { seq: 'desc' },
  });
  if (activation === null) throw new Error(`The add-on ${addonId} was never active on ${subscriptionId}.`);
  return activation;
}
