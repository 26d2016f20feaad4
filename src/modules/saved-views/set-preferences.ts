import type { Context } from '../../context.ts';
import type { Metadata } from '../../domain/json.ts';
import { personOf } from '../members/store.ts';
import { demandRoom } from './rules.ts';

/** Replaces what a dashboard keeps for the signed-in person. Throws `validation_error` for more than 16 KB. */
export async function setPreferences({ app, caller }: Context, preferences: Metadata) {
  const person = personOf(caller);
  demandRoom('preferences', preferences);
  await app.database.prisma.person.update({ where: { id: person.id }, data: { preferences } });
  return person;
}
