import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { readPicture } from './read-picture.ts';
import { lockOrganizationRow, type OrganizationRow, readOrganization } from './store.ts';

/**
 * Stores the logo of the caller's organization and sets `logoUrl` to the logo's URL. Removes the logo if `text` is `null`. Throws the same
 * errors as `readPicture`.
 */
export const setLogo = (ctx: Context, text: string | null): Promise<OrganizationRow> => {
  const picture = text === null ? null : readPicture(text);
  return inTransaction(
    ctx,
    async (tx) => {
      const { transaction, environment, app, wall } = tx;
      const { organizationId } = environment;
      const { organizationLogo, organization } = transaction.prisma;
      const now = wall.now();
      await lockOrganizationRow(transaction.query, organizationId);
      const { count } = await organizationLogo.deleteMany({ where: { organizationId } });
      if (picture === null && count === 0) return readOrganization(tx);
      const id = newId('lgo');
      if (picture !== null) {
        const { contentType, image } = picture;
        await organizationLogo.create({ data: { id, organizationId, contentType, image, createdAt: now } });
      }
      return organization.update({
        where: { id: organizationId },
        data: {
          logoUrl: picture === null ? null : `${app.config.publicUrl}/logos/${id}`,
          logoWidth: picture?.width ?? null,
          logoHeight: picture?.height ?? null,
          updatedAt: now,
        },
      });
    },
    { clockLock: 'none' },
  );
};
