import type { Transaction } from '../platform/db/pool.ts';

/** Stores the name of an API key or member that is being deleted, so that its past events can still show the name. */
export async function keepName(
  { prisma }: Transaction,
  actor: { readonly id: string; readonly organizationId: string; readonly name: string },
  now: Date,
): Promise<void> {
  await prisma.formerActor.create({ data: { ...actor, removedAt: now } });
}
