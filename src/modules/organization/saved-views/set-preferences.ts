import type { Metadata } from '../../../domain/text/json.ts';
import type { Context } from '../../../request/context.ts';
import { personOf } from '../members/store.ts';
import { requireRowQuota } from './rules.ts';

/** Replaces the signed-in user's dashboard preferences. Throws `validation_error` if the preferences exceed 16 KiB. */
export async function setPreferences({ app, caller }: Context, preferences: Metadata) {
  const person = personOf(caller);
  requireRowQuota('preferences', preferences);
  await app.database.prisma.person.update({ where: { id: person.id }, data: { preferences } });
  return person;
}
