import type { Prisma } from '../../../generated/prisma/client.ts';
import { batchedByColumns } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';
import { personOf } from '../members/store.ts';

export type SavedViewRow = Prisma.SavedViewGetPayload<{ include: { person: true } }>;

/** Maximum number of saved views in a response. */
const maxListed = 500;

/** Returns the saved views for a list that a member can see, sorted by name: the member's own views and shared views. */
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

/**
 * Returns a saved view that the signed-in member can see, by ID. `null` if the view isn't found. Lookups are batched.
 */
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
