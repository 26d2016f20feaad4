import type { Context } from '../../context.ts';
import type { Prisma } from '../../generated/prisma/client.ts';
import { batchedByColumns } from '../../graphql/loaders.ts';
import { personOf } from '../members/store.ts';

export type SavedViewRow = Prisma.SavedViewGetPayload<{ include: { person: true } }>;

/** A list shows no more views than this. */
const maxListed = 500;

/** The views of a list that a member sees: the own ones and those that are shared, by name. */
export const listSavedViews = (
  { app, environment }: Context,
  personId: string,
  list: string,
): Promise<SavedViewRow[]> =>
  app.database.prisma.savedView.findMany({
    where: {
      organizationId: environment.organizationId,
      list,
      OR: [{ personId }, { isShared: true }],
    },
    include: { person: true },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
    take: maxListed,
  });

/** The view with this id that the signed-in member sees, or null. Batched. */
export function loadSavedView(ctx: Context, id: string): Promise<SavedViewRow | null> {
  const { app, caller, environment } = ctx;
  const load = ctx.once('saved-view', () =>
    batchedByColumns(async (ids) => {
      const where = {
        id: { in: [...ids] },
        organizationId: environment.organizationId,
        OR: [{ personId: personOf(caller).id }, { isShared: true }],
      };
      const views = await app.database.prisma.savedView.findMany({ where, include: { person: true } });
      const known = new Map(views.map((view) => [view.id, view]));
      return (key) => known.get(key) ?? null;
    }),
  );
  return load(id, 'all');
}
