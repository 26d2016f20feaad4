import { specificError } from '../../../domain/errors/errors.ts';
import type { Metadata } from '../../../domain/text/json.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { lockPerson, personOf } from '../members/store.ts';
import { requireRowQuota } from './rules.ts';
import type { SavedViewRow } from './store.ts';

/** Maximum number of saved views per user and organization. */
const maxViews = 200;

export type SavedViewInput = {
  readonly id?: string | null | undefined;
  readonly list: string;
  readonly name: string;
  readonly settings: Metadata;
  readonly isShared?: boolean | null | undefined;
};

/**
 * Saves a view for the signed-in member, or replaces the view with the given ID. Throws `not_found` if the member has no view with the ID.
 * Throws `duplicate` if the member already has a view with this name for the list. Throws `validation_error` if the member has too many
 * views or the view is too large.
 */
export function saveView(
  { app, caller, environment }: Context,
  input: SavedViewInput,
): Promise<SavedViewRow> {
  const { id: personId } = personOf(caller);
  const { organizationId } = environment;
  const { id, list, name, settings } = input;
  requireRowQuota('settings', settings);
  const now = app.wall.now();
  const values = { list, name, settings, isShared: input.isShared ?? false, updatedAt: now };
  return app.database.transaction(async ({ prisma: { savedView }, query }) => {
    await lockPerson(query, personId);
    const own = { organizationId, personId };
    const sameName = await savedView.findFirst({ where: { ...own, list, name } });
    if (sameName !== null && sameName.id !== id)
      throw specificError('duplicate', 'saved_view', { param: 'name' });
    if (id != null) {
      const { count } = await savedView.updateMany({ where: { ...own, id }, data: values });
      if (count === 0) throw specificError('not_found', 'saved_view', { param: 'id' });
      return savedView.findUniqueOrThrow({ where: { id }, include: { person: true } });
    }
    if ((await savedView.count({ where: own })) >= maxViews)
      throw specificError('validation_error', 'too_many_views', { values: { maxViews } });
    return savedView.create({
      data: { id: newId('svw'), ...own, ...values, createdAt: now },
      include: { person: true },
    });
  });
}
