import type { Context } from '../../context.ts';
import { validationError } from '../../domain/errors.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction } from '../../transaction.ts';
import { lockOrganizationRow, type OrganizationRow, readOrganization } from './store.ts';

/** The largest picture, in bytes. */
const maxBytes = 200 * 1_024;

/** The types of pictures that are taken, by their first bytes. */
const signatures: readonly { readonly type: string; readonly matches: (image: Buffer) => boolean }[] = [
  {
    type: 'image/png',
    matches: (image) => image.subarray(0, 8).equals(Buffer.from('89504e470d0a1a0a', 'hex')),
  },
  { type: 'image/jpeg', matches: (image) => image.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex')) },
  {
    type: 'image/webp',
    matches: (image) =>
      image.subarray(0, 4).toString('latin1') === 'RIFF' &&
      image.subarray(8, 12).toString('latin1') === 'WEBP',
  },
];

const unacceptable = (message: string) => validationError([{ field: 'image', message }]);

/** Reads a picture in Base64. Throws `validation_error` for other text, for one that is too large and for other types than PNG, JPEG and WebP. */
function readImage(text: string): { readonly contentType: string; readonly image: Buffer } {
  if (!/^[A-Za-z0-9+/]+={0,2}$/.test(text) || text.length % 4 !== 0) throw unacceptable('must be Base64');
  const image = Buffer.from(text, 'base64');
  if (image.length > maxBytes) throw unacceptable(`must have at most ${maxBytes} bytes`);
  const contentType = signatures.find(({ matches }) => matches(image))?.type;
  if (contentType === undefined) throw unacceptable('must be a PNG, JPEG or WebP picture');
  return { contentType, image };
}

/** Stores the picture of the caller's organization, which `logoUrl` then leads to, or removes it. Throws as `readImage`. */
export const setLogo = (ctx: Context, text: string | null): Promise<OrganizationRow> => {
  const picture = text === null ? null : readImage(text);
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
      if (picture !== null)
        await organizationLogo.create({
          data: {
            id,
            organizationId,
            contentType: picture.contentType,
            image: new Uint8Array(picture.image),
            createdAt: now,
          },
        });
      return organization.update({
        where: { id: organizationId },
        data: { logoUrl: picture === null ? null : `${app.config.publicUrl}/logos/${id}`, updatedAt: now },
      });
    },
    { clockLock: 'none' },
  );
};
