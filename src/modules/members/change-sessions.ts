import type { Context } from '../../context.ts';
import { specificError } from '../../domain/errors.ts';
import { endOtherSessions, endSession, findSessions, type SessionDetails } from '../../identity/sessions.ts';
import { personOf } from './store.ts';

export type ViewerSessionRow = SessionDetails & { readonly isCurrent: boolean };

/** The sessions of the person who is signed in, the one used last first. */
export async function listSessions({ app, caller, wall }: Context): Promise<ViewerSessionRow[]> {
  const { id, sessionId } = personOf(caller);
  const sessions = await findSessions(app.database.query, id, wall.now());
  return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}

/** The session with this id of the person who is signed in, or null. Batched. */
export async function loadSession(ctx: Context, id: string): Promise<ViewerSessionRow | null> {
  const sessions = await ctx.once('sessions', () => listSessions(ctx));
  return sessions.find((session) => session.id === id) ?? null;
}

/** Ends one session of the person who is signed in. Throws `not_found`. */
export async function endOwnSession({ app, caller }: Context, id: string) {
  const person = personOf(caller);
  if (!(await endSession(app.database.query, person.id, id)))
    throw specificError('not_found', 'session', { param: 'id' });
  return person;
}

/** Ends every session of the person who is signed in but the one of the request. */
export async function endOthers({ app, caller }: Context) {
  const person = personOf(caller);
  await endOtherSessions(app.database.query, person.id, person.sessionId);
  return person;
}
