import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { inTransaction } from '../../transaction.ts';
import { isAddonActive, requireLockedAddon } from './store.ts';

/**
 * Takes an add-on out of the catalog; its slug and its feature are free again. Throws `addon_not_found`, and `addon_has_activations`
 * while a subscription has it active (CAT-43).
 */
export const deleteAddon = (ctx: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(ctx, async (tx) => {
    const { id } = await requireLockedAddon(tx, reference);
    if (await isAddonActive(tx, id)) throw specificError('addon_has_activations', 'active', { param: 'id' });
    const now = tx.clock.now();
    await tx.db.addon.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'addon' };
  });
