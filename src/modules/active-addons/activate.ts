import type { Context } from '../../context.ts';
import { requireAddon } from '../add-ons/store.ts';
import { executePurchase } from '../purchases/purchase.ts';
import { type AddonActivationRow, requireActivation } from './store.ts';

/** Which add-on, by id or slug, on which subscription. */
export type AddonInput = { readonly subscriptionId: string; readonly addonId: string };

/**
 * Switches an add-on on (SUB-70, SUB-71) and answers it. Throws `subscription_not_found`, what the decision rejects, `charge_failed` for a
 * decline, and `charge_in_progress` while the gateway has not answered.
 */
export async function activateAddon(
  ctx: Context,
  { subscriptionId: id, addonId }: AddonInput,
): Promise<AddonActivationRow> {
  await executePurchase(ctx, { kind: 'addon.activate', subscriptionId: id, addonId });
  return requireActivation(ctx, id, (await requireAddon(ctx, addonId)).id);
}
