import type { Context } from '../../../request/context.ts';
import { requireAddon } from '../../catalog/add-ons/store.ts';
import { executePurchase } from '../purchases/purchase.ts';
import { type AddonActivationRow, requireActivation } from './store.ts';

/** Subscription and the add-on to activate, identified by ID or slug. */
export type AddonInput = { readonly subscriptionId: string; readonly addonId: string };

/**
 * Activates an add-on (SUB-70, SUB-71) and returns the activation. Throws `subscription_not_found`, the command's error if it's rejected,
 * `charge_failed` if the charge is declined, and `charge_in_progress` if the payment provider hasn't responded yet.
 */
export async function activateAddon(
  ctx: Context,
  { subscriptionId: id, addonId }: AddonInput,
): Promise<AddonActivationRow> {
  await executePurchase(ctx, { kind: 'addon.activate', subscriptionId: id, addonId });
  return requireActivation(ctx, id, (await requireAddon(ctx, addonId)).id);
}
