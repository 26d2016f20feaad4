import type { Context } from '../../context.ts';
import { createTicket, type LiveTicket } from '../../identity/live-tickets.ts';

/** Makes a ticket for a socket of the member who asks, in the environment of the request. */
export function issueLiveTicket({ app, caller, environment, wall }: Context): Promise<LiveTicket> {
  if (caller.kind !== 'member') throw new Error('Only members get tickets.');
  const { memberId, person } = caller;
  return createTicket(
    app.database.query,
    app.secrets,
    { environmentId: environment.id, sessionId: person.sessionId, memberId },
    wall.now(),
  );
}
