import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireAddon } from '../add-ons/store.ts';
import { requireSubscription } from '../subscriptions/store.ts';
import type { AddonInput } from './activate.ts';
import { type AddonActivationRow, requireActivation } from './store.ts';

/** Switches an add-on off at once (SUB-73) and answers it as it ended. Throws `subscription_not_found` and what the decision rejects. */
export async function deactivateAddon(
  ctx: Context,
  { subscriptionId: id, addonId }: AddonInput,
): Promise<AddonActivationRow> {
  const { customerId } = await requireSubscription(ctx, id);
  await executeOne(ctx, customerId, { kind: 'addon.deactivate', subscriptionId: id, addonId });
  return requireActivation(ctx, id, (await requireAddon(ctx, addonId)).id);
}
