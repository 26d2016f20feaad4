import { specificError } from '../../../domain/errors/errors.ts';
import {
  findPasskeys,
  type PasskeyDetails,
  removePasskey,
  renamePasskey,
} from '../../../identity/passkeys.ts';
import type { Context } from '../../../request/context.ts';
import { personOf } from './store.ts';

/** Lists the passkeys of the signed-in user, oldest first. */
export const listPasskeys = ({ app, caller }: Context): Promise<PasskeyDetails[]> =>
  findPasskeys(app.database.query, personOf(caller).id);

/** Returns a passkey of the signed-in user by ID. `null` if the passkey isn't found. Lookups are batched. */
export async function loadPasskey(ctx: Context, id: string): Promise<PasskeyDetails | null> {
  const passkeys = await ctx.once('passkeys', () => listPasskeys(ctx));
  return passkeys.find((passkey) => passkey.id === id) ?? null;
}

/** Renames a passkey of the signed-in user. Throws `not_found`. */
export async function renameOwnPasskey(
  { app, caller }: Context,
  input: { readonly id: string; readonly name: string },
): Promise<PasskeyDetails> {
  const renamed = await renamePasskey(app.database.query, personOf(caller).id, input);
  if (renamed === null) throw specificError('not_found', 'passkey', { param: 'id' });
  return renamed;
}

/** Removes a passkey of the signed-in user, whose password remains valid. Throws `not_found`. */
export async function removeOwnPasskey({ app, caller }: Context, id: string) {
  const person = personOf(caller);
  if (!(await removePasskey(app.database.query, person.id, id)))
    throw specificError('not_found', 'passkey', { param: 'id' });
  app.log.info({ personId: person.id, change: 'passkey removed' }, 'A sign-in method was removed.');
  return person;
}
