import { specificError } from '../../../domain/errors/errors.ts';
import type { DeletedShape } from '../../../graphql/reading/deleted.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { isAddonActive, requireLockedAddon } from './store.ts';

/**
 * Deletes an add-on. Its slug and feature become available for new add-ons. Throws `addon_not_found`, and `addon_has_activations` if the
 * add-on is active on a subscription (CAT-43).
 */
export const deleteAddon = (ctx: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireLockedAddon(tx, reference);
    if (await isAddonActive(tx, id)) throw specificError('addon_has_activations', 'active', { param: 'id' });
    const now = tx.clock.now();
    await tx.db.addon.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'addon' };
  });
