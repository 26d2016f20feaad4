import type { Context } from '../../context.ts';
import { activationTerms } from '../../domain/consumption/addon-terms.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { AddonTerms } from '../../domain/pricing/addon-terms.ts';
import { localMinor } from '../../domain/pricing/regional.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { requireCustomer } from '../customers/service.ts';
import { loadExchangeRates } from '../plans/regional-types.ts';
import type { SubscriptionRow } from '../subscriptions/find.ts';
import { loadCurrentSubscription } from '../subscriptions/service.ts';
import { hasAccess } from '../subscriptions/terms.ts';

export type AddonActivationRow = Row<'AddonActivation'>;

/** The customer's subscription while it gives access. Throws `customer_not_found` and `no_active_subscription`. */
export async function requireAccessSubscription(context: Context, customer: string): Promise<SubscriptionRow> {
  const { id } = await requireCustomer(context, customer, 'customerId');
  const subscription = await loadCurrentSubscription(context, id);
  if (subscription === null || !hasAccess(subscription)) {
    throw new QuittanceError('no_active_subscription', 'The customer has no subscription in force.', { param: 'customerId' });
  }
  return subscription;
}

/** An amount a renewal charges; minor units of `currency`. */
export type RenewalPrice = { readonly currency: string; readonly amountMinor: bigint };

/**
 * What a renewal charges for the add-on as the catalogue stands now: in the subscription's currency by its plan's exchange rate (CAT-44), in
 * US cents where the plan has no rate for that currency. Batched.
 */
export async function loadRenewalPrice(context: Context, activation: AddonActivationRow): Promise<RenewalPrice> {
  const { basePriceMinor } = await loadExistingRow(context, 'Addon', activation.addonId);
  const { currency, planId } = await loadExistingRow(context, 'Subscription', activation.subscriptionId);
  const rates = currency === 'usd' ? [] : await loadExchangeRates(context, planId);
  const rate = rates.find((row) => row.currency === currency);
  if (rate === undefined) return { currency: 'usd', amountMinor: basePriceMinor };
  return { currency, amountMinor: localMinor(basePriceMinor, rate.rateE8, currency) };
}

/** The terms the activation is held at now, or at its end when it has ended (CAT-43, CAT-49). Batched. */
export async function loadHeldAddonTerms(context: Context, activation: AddonActivationRow): Promise<AddonTerms> {
  const versions = await loadRowsBy(context, 'AddonVersion', 'addonId', activation.addonId, 'seq');
  const { termsFrom } = await loadExistingRow(context, 'Subscription', activation.subscriptionId);
  return activationTerms(versions, activation, termsFrom, activation.deactivatedAt ?? context.clock.now());
}

/** The latest activation of an add-on on a subscription. Throws when there never was one, which its callers rule out. */
export async function requireActivation(context: Context, subscriptionId: string, addonId: string): Promise<AddonActivationRow> {
  const activation = await context.db.addonActivation.findFirst({ where: { subscriptionId, addonId }, orderBy: { seq: 'desc' } });
  if (activation === null) throw new Error(`The add-on ${addonId} was never active on ${subscriptionId}.`);
  return activation;
}
