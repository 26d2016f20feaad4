import type { EventSource } from '../../../domain/events/events.ts';
import { hasScope } from '../../../domain/limits/permissions.ts';
import { batchedByColumns, loadRow } from '../../../graphql/reading/loaders.ts';
import type { EventRow } from '../../../outbox/read.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { loadMember, type MemberRow } from '../../organization/members/store.ts';

// Actors on events and notes. Each level of a nested query runs one SQL statement per type of actor.

/** Columns that identify an event's actor. */
export type Caused = Pick<EventRow, 'source' | 'actorId' | 'customerId'>;

export type ActorRow = Row<'ApiKey'> | MemberRow | Row<'Customer'>;

const pages: ReadonlySet<EventSource> = new Set([
  'portal',
  'checkout',
  'payment_page',
  'recovery_page',
  'payment_method_page',
  'pricing_page',
]);

/** Returns the ID of an event's actor. On hosted pages, the actor is the customer. `null` if the event has no actor. */
export const actorIdOf = ({ source, actorId, customerId }: Caused): string | null =>
  pages.has(source) ? customerId : actorId;

/** True if the caller can list API keys. */
function seesKeys({ caller }: Context): boolean {
  if (caller.kind === 'key') return hasScope(caller, 'keys', 'organization');
  return caller.kind === 'member' ? caller.role !== 'member' : caller.kind === 'system';
}

/** True if the caller can list members. */
const seesMembers = ({ caller }: Context): boolean => caller.kind === 'member' || caller.kind === 'system';

/**
 * Returns an event's actor. `null` if the event has no actor, the actor was deleted, or the caller can't read the
 * actor. Lookups are batched.
 */
export async function loadActor(ctx: Context, event: Caused): Promise<ActorRow | null> {
  const id = actorIdOf(event);
  if (id === null || event.source === 'provider') return null;
  if (event.source === 'api') return seesKeys(ctx) ? loadRow(ctx, 'ApiKey', id) : null;
  if (event.source === 'dashboard') return seesMembers(ctx) ? loadMember(ctx, id) : null;
  return loadRow(ctx, 'Customer', id);
}

type Named = { readonly id: string; readonly name: string };

/** Reads the names of API keys and members, including deleted ones. Runs one SQL statement. */
const readNames = (ctx: Context, ids: readonly string[]): Promise<Named[]> =>
  ctx.sql<Named>(
    `SELECT k.id, k.name FROM "ApiKey" k WHERE k."environmentId" = $1 AND k.id = ANY($2)
     UNION ALL
     SELECT m.id, p.name FROM "Member" m JOIN "Person" p ON p.id = m."userId" JOIN "Environment" e ON e."organizationId" = m."organizationId"
     WHERE e.id = $1 AND m.id = ANY($2)
     UNION ALL
     SELECT f.id, f.name FROM "FormerActor" f JOIN "Environment" e ON e."organizationId" = f."organizationId"
     WHERE e.id = $1 AND f.id = ANY($2)`,
    [ids],
  );

/**
 * Returns the name of an event's actor. `null` if the event has no actor or the customer has no name. Lookups are
 * batched.
 */
export async function loadActorName(ctx: Context, event: Caused): Promise<string | null> {
  const id = actorIdOf(event);
  if (id === null || event.source === 'provider') return null;
  if (pages.has(event.source)) {
    const customer = await loadRow(ctx, 'Customer', id, new Set(['fullName']));
    return customer?.fullName || null;
  }
  const load = ctx.once('names of actors', () =>
    batchedByColumns<string | null>(async (ids) => {
      const names = new Map((await readNames(ctx, ids)).map((one) => [one.id, one.name]));
      return (wanted) => names.get(wanted) ?? null;
    }),
  );
  return load(id, 'all');
}
