import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { type AddonTerms, heldAddonTerms } from '../../domain/pricing/addon-terms.ts';
import { loadExistingRow, loadRowsBy } from '../../graphql/loaders.ts';
import type { Row } from '../../infra/rows.ts';
import { requireCustomer } from '../customers/service.ts';
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

/** The terms the activation is held at now, or at its end when it has ended (CAT-43, CAT-49). Batched. */
export async function loadHeldAddonTerms(context: Context, activation: AddonActivationRow): Promise<AddonTerms> {
  const versions = await loadRowsBy(context, 'AddonVersion', 'addonId', activation.addonId, 'seq');
  const { termsFrom } = await loadExistingRow(context, 'Subscription', activation.subscriptionId);
  const opened = termsFrom === null || termsFrom < activation.createdAt ? activation.createdAt : termsFrom;
  const end = activation.deactivatedAt;
  return heldAddonTerms(versions, end !== null && end < opened ? end : opened, end ?? context.clock.now());
}
