import { createTicket, type LiveTicket } from '../../../identity/live-tickets.ts';
import type { Context } from '../../../request/context.ts';

/** Creates a ticket that lets the calling member open a live socket in the request's environment. */
export function issueLiveTicket({ app, caller, environment, wall }: Context): Promise<LiveTicket> {
  if (caller.kind !== 'member') throw new Error('Only members can create tickets.');
  const { memberId, person } = caller;
  return createTicket(
    app.database.query,
    app.secrets,
    { environmentId: environment.id, sessionId: person.sessionId, memberId },
    wall.now(),
  );
}
