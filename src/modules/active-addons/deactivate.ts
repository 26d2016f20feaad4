import type { Context } from '../../context.ts';
import { executeOne } from '../../engine/execute.ts';
import { requireAddon } from '../add-ons/service.ts';
import { requireSubscription } from '../subscriptions/find.ts';
import type { AddonInput } from './activate.ts';
import { type AddonActivationRow, requireActivation } from './service.ts';

/** Switches an add-on off at once (SUB-73) and answers it as it ended. Throws `subscription_not_found` and what the decision refuses. */
export async function deactivateAddon(context: Context, { id, addonId }: AddonInput): Promise<AddonActivationRow> {
  const { customerId } = await requireSubscription(context, id);
  await executeOne(context, customerId, { kind: 'addon.deactivate', subscriptionId: id, addonId });
  return requireActivation(context, id, (await requireAddon(context, addonId)).id);
}
