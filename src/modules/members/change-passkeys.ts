import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { findPasskeys, type PasskeyDetails, removePasskey, renamePasskey } from '../../identity/passkeys.ts';
import { personOf } from './store.ts';

/** The passkeys of the person who is signed in, the one added first foremost. */
export const listPasskeys = ({ app, caller }: Context): Promise<PasskeyDetails[]> =>
  findPasskeys(app.database.query, personOf(caller).id);

/** The passkey with this id of the person who is signed in, or null. Batched. */
export async function loadPasskey(ctx: Context, id: string): Promise<PasskeyDetails | null> {
  const passkeys = await ctx.once('passkeys', () => listPasskeys(ctx));
  return passkeys.find((passkey) => passkey.id === id) ?? null;
}

/** Gives a passkey of the person who is signed in another name. Throws `not_found`. */
export async function renameOwnPasskey(
  { app, caller }: Context,
  input: { readonly id: string; readonly name: string },
): Promise<PasskeyDetails> {
  const renamed = await renamePasskey(app.database.query, personOf(caller).id, input);
  if (renamed === null) throw specificError('not_found', 'passkey', { param: 'id' });
  return renamed;
}

/** Removes a passkey of the person who is signed in, who keeps the password. Throws `not_found`. */
export async function removeOwnPasskey({ app, caller }: Context, id: string) {
  const person = personOf(caller);
  if (!(await removePasskey(app.database.query, person.id, id)))
    throw specificError('not_found', 'passkey', { param: 'id' });
  app.log.info({ personId: person.id, change: 'passkey removed' }, 'The ways into an account were changed.');
  return person;
}
