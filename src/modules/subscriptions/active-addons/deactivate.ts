import { executeOne } from '../../../engine/execute.ts';
import type { Context } from '../../../request/context.ts';
import { requireAddon } from '../../catalog/add-ons/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import type { AddonInput } from './activate.ts';
import { type AddonActivationRow, requireActivation } from './store.ts';

/**
 * Deactivates an add-on immediately (SUB-73) and returns the ended activation. Throws `subscription_not_found`, and the command's error if
 * it's rejected.
 */
export async function deactivateAddon(
  ctx: Context,
  { subscriptionId: id, addonId }: AddonInput,
): Promise<AddonActivationRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'addon.deactivate', subscriptionId: id, addonId });
  return requireActivation(ctx, id, (await requireAddon(ctx, addonId)).id);
}
