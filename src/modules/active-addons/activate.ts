import type { Context } from '../../context.ts';
import { requireAddon } from '../add-ons/service.ts';
import { order } from '../purchases/service.ts';
import { type AddonActivationRow, requireActivation } from './service.ts';

/** Which add-on, by id or slug, on which subscription. */
export type AddonInput = { readonly id: string; readonly addonId: string };

/**
 * Switches an add-on on (SUB-70, SUB-71) and answers it. Throws `subscription_not_found`, what the decision refuses, `charge_failed` for a
 * decline, and `charge_in_progress` while the gateway has not answered.
 */
export async function activateAddon(context: Context, { id, addonId }: AddonInput): Promise<AddonActivationRow> {
  await order(context, { kind: 'addon.activate', subscriptionId: id, addonId });
  return requireActivation(context, id, (await requireAddon(context, addonId)).id);
}
