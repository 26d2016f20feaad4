import { specificError } from '../../../domain/errors/errors.ts';
import { hasRole } from '../../../domain/limits/member-roles.ts';
import type { Context } from '../../../request/context.ts';

/** Deletes a saved view of the signed-in member. Admins can also delete shared views. Throws `not_found`. */
export async function deleteView(
  { app, caller, environment }: Context,
  id: string,
): Promise<{ id: string; object: string }> {
  if (caller.kind !== 'member') throw new Error('Only members can delete views.');
  const { person, role } = caller;
  const mayDelete = hasRole(role, 'admin')
    ? { OR: [{ personId: person.id }, { isShared: true }] }
    : { personId: person.id };
  const { count } = await app.database.prisma.savedView.deleteMany({
    where: { id, organizationId: environment.organizationId, ...mayDelete },
  });
  if (count === 0) throw specificError('not_found', 'saved_view', { param: 'id' });
  return { id, object: 'saved_view' };
}
