import { specificError } from '../../../domain/errors/errors.ts';
import type { AddonTerms } from '../../../domain/pricing/addon-terms.ts';
import { localMinor } from '../../../domain/pricing/regional.ts';
import { firstUnitPrice } from '../../../domain/rates/held.ts';
import { activationTerms } from '../../../domain/usage/addon-terms.ts';
import { loadExistingRow, loadRowsBy } from '../../../graphql/reading/loaders.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { addonRows } from '../../catalog/add-ons/store.ts';
import { loadExchangeRates } from '../../catalog/regional-pricing/load-current.ts';
import { requireCustomer } from '../../customers/customers/store.ts';
import { hasAccess } from '../subscriptions/load-terms.ts';
import type { SubscriptionRow } from '../subscriptions/store.ts';
import { loadCurrentSubscription, requireSubscription } from '../subscriptions/store.ts';

export type AddonActivationRow = Row<'AddonActivation'>;

/** Returns the customer's subscription if it gives access. Throws `customer_not_found` and `no_active_subscription`. */
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

/** Amount charged for an add-on at each renewal, in minor units of `currency`. */
export type RenewalPrice = { readonly currency: string; readonly amountMinor: bigint };

/**
 * Returns the current renewal price of the add-on in the subscription's currency, converted with the plan's exchange
 * rate (CAT-44). If the plan has no rate for the currency, the price is in US cents. Lookups are batched.
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

export const loadAddonFeature = async (ctx: Context, addonId: string): Promise<Row<'Feature'>> =>
  loadExistingRow(ctx, 'Feature', (await loadExistingRow(ctx, 'Addon', addonId)).featureId);

/**
 * Returns the current terms of an activation, or, if the activation has ended, its terms at that time (CAT-43, CAT-49).
 * Lookups are batched.
 */
export async function loadHeldAddonTerms(
  ctx: Context,
  activation: Pick<AddonActivationRow, 'addonId' | 'subscriptionId' | 'createdAt' | 'deactivatedAt'>,
): Promise<AddonTerms> {
  const versions = await loadRowsBy(ctx, 'AddonVersion', 'addonId', activation.addonId, 'seq');
  const { termsFrom } = await loadExistingRow(ctx, 'Subscription', activation.subscriptionId);
  return activationTerms(versions, activation, termsFrom, activation.deactivatedAt ?? ctx.clock.now());
}

/**
 * Returns the price of the first unit of overage of an activation in ten-thousandths of a US dollar (10,000 = 1.00). `null` if the add-on has no
 * rate in US dollars. Batched.
 */
export async function loadUnitPrice(
  ctx: Context,
  activation: Parameters<typeof loadHeldAddonTerms>[1],
): Promise<bigint | null> {
  const { rates } = await loadHeldAddonTerms(ctx, activation);
  const { consumptionModel } = await loadExistingRow(ctx, 'Addon', activation.addonId);
  return rates === null || consumptionModel === 'credits' ? null : firstUnitPrice(rates);
}

/** Returns the latest activation of an add-on on a subscription. Callers ensure that an activation exists. */
async function requireActivation(
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

/** Input with the ID of a subscription, and the ID or slug of an add-on. */
type AddonInput = { readonly subscriptionId: string; readonly addonId: string };

/** Subject (the subscription) and result (the activation) of operations that activate or deactivate an add-on. */
export const onAddon = {
  find: (ctx: Context, { subscriptionId: id }: AddonInput): Promise<SubscriptionRow> =>
    requireSubscription(ctx, id),
  result: async (
    ctx: Context,
    { subject: { id }, input }: { readonly subject: SubscriptionRow; readonly input: AddonInput },
  ): Promise<AddonActivationRow> =>
    requireActivation(ctx, id, (await addonRows.require(ctx, input.addonId)).id),
};
