import { specificError } from '../../../domain/errors/errors.ts';
import {
  endOtherSessions,
  endSession,
  findSessions,
  type SessionDetails,
} from '../../../identity/sessions.ts';
import type { Context } from '../../../request/context.ts';
import { personOf } from './store.ts';

export type ViewerSessionRow = SessionDetails & { readonly isCurrent: boolean };

/** Lists the sessions of the signed-in user, most recently used first. */
export async function listSessions({ app, caller, wall }: Context): Promise<ViewerSessionRow[]> {
  const { id, sessionId } = personOf(caller);
  const sessions = await findSessions(app.database.query, id, wall.now());
  return sessions.map((session) => ({ ...session, isCurrent: session.id === sessionId }));
}

/** Returns a session of the signed-in user by ID. `null` if the session isn't found. Lookups are batched. */
export async function loadSession(ctx: Context, id: string): Promise<ViewerSessionRow | null> {
  const sessions = await ctx.once('sessions', () => listSessions(ctx));
  return sessions.find((session) => session.id === id) ?? null;
}

/** Ends one session of the signed-in user. Throws `not_found`. */
export async function endOwnSession({ app, caller }: Context, id: string) {
  const person = personOf(caller);
  if (!(await endSession(app.database.query, person.id, id)))
    throw specificError('not_found', 'session', { param: 'id' });
  return person;
}

/** Ends all sessions of the signed-in user except the current session. */
export async function endOthers({ app, caller }: Context) {
  const person = personOf(caller);
  await endOtherSessions(app.database.query, person.id, person.sessionId);
  return person;
}
