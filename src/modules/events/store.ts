import type { Context } from '../../context.ts';
import { eventSubject, type SubjectSource } from '../../domain/event-subject.ts';
import type { EventSource } from '../../domain/events.ts';
import { batchedByColumns, loadRow } from '../../graphql/loaders.ts';
import type { EventRow } from '../../outbox/read.ts';
import type { Row } from '../../platform/db/rows.ts';
import { loadMember, type MemberRow } from '../members/store.ts';

// Who caused events and what they are about, read in one statement per kind of actor and level.

/** What of an event tells who caused it. */
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

/** The id of who caused an event: on pages the customer; null where nobody did. */
export const actorIdOf = ({ source, actorId, customerId }: Caused): string | null =>
  pages.has(source) ? customerId : actorId;

/** Whether the caller may see API keys, as `apiKeys` shows them. */
function seesKeys({ caller }: Context): boolean {
  if (caller.kind === 'key') return caller.scopes.includes('keys');
  return caller.kind === 'member' ? caller.role !== 'member' : caller.kind === 'system';
}

/** Whether the caller may see members, as `members` shows them. */
const seesMembers = ({ caller }: Context): boolean => caller.kind === 'member' || caller.kind === 'system';

/** Who caused an event; null for nobody, for one that is gone, and for one whom the caller may not see. Batched. */
export async function loadActor(ctx: Context, event: Caused): Promise<ActorRow | null> {
  const id = actorIdOf(event);
  if (id === null || event.source === 'provider') return null;
  if (event.source === 'api') return seesKeys(ctx) ? loadRow(ctx, 'ApiKey', id) : null;
  if (event.source === 'dashboard') return seesMembers(ctx) ? loadMember(ctx, id) : null;
  return loadRow(ctx, 'Customer', id);
}

type Named = { readonly id: string; readonly name: string };

/** The names of keys and members, those that are gone included. One statement. */
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

/** How who caused an event is called; null where nobody did, and for a customer without a name. Batched. */
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

/** What an event is about; null for the funds of the organization, and for what is no longer stored. Batched. */
export async function loadSubject(ctx: Context, event: SubjectSource) {
  const subject = eventSubject(event);
  return subject === null ? null : loadRow(ctx, subject.model, subject.id);
}
