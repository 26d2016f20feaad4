import { type Made, made, type Shop } from './shop.ts';

export const createApiKey = (shop: Shop): Promise<Made> =>
  made(shop.rest<Made>('POST', '/api-keys', { name: shop.next('key') }));

/** Resets the organization to its state after provisioning, so it can be claimed. */
export async function makeClaimable({ t, environmentId }: Shop): Promise<void> {
  const { prisma } = t.app.database;
  const { organizationId } = await prisma.environment.findUniqueOrThrow({ where: { id: environmentId } });
  const now = t.app.wall.now();
  const state = { expiresAt: now, claimedAt: null };
  await prisma.organizationClaim.upsert({
    where: { organizationId },
    create: { organizationId, tokenHash: organizationId, createdAt: now, ...state },
    update: state,
  });
}
