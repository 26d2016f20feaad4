import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';

/** Deletes a view of the signed-in member, or a shared one for an admin. Throws `not_found`. */
export async function deleteView(
  { app, caller, environment }: Context,
  id: string,
): Promise<{ id: string; object: string }> {
  if (caller.kind !== 'member') throw new Error('Only members delete views.');
  const { person, role } = caller;
  const mayDelete =
    role === 'member' ? { personId: person.id } : { OR: [{ personId: person.id }, { isShared: true }] };
  const { count } = await app.database.prisma.savedView.deleteMany({
    where: { id, organizationId: environment.organizationId, ...mayDelete },
  });
  if (count === 0) throw specificError('not_found', 'saved_view', { param: 'id' });
  return { id, object: 'saved_view' };
}
