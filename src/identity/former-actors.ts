import type { Transaction } from '../platform/db/pool.ts';

/** Keeps the name of an API key or a member that is removed in an open transaction, so that the events they caused still say whose they are. */
export async function keepName(
  { prisma }: Transaction,
  actor: { readonly id: string; readonly organizationId: string; readonly name: string },
  now: Date,
): Promise<void> {
  await prisma.formerActor.create({ data: { ...actor, removedAt: now } });
}
