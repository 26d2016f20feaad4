import type { App, Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { newSecret } from '../../platform/ids.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { inTransaction } from '../../transaction.ts';

/** How long a claim link can be used (PLT-17). */
const validMs = 7 * 86_400_000;

/** A claim link that has just been issued. */
export type IssuedLink = { readonly url: string; readonly expiresAt: Date };

export type ClaimStatus = 'open' | 'expired' | 'claimed';

/** What a claim link contains. */
export type ClaimView = {
  readonly organizationName: string;
  readonly status: ClaimStatus;
  readonly expiresAt: Date;
};

/** A link with a new token, and what is stored of it: the hash, since the token is as good as ownership. */
export function drawLink({ config, wall }: App): {
  readonly link: IssuedLink;
  readonly stored: { tokenHash: string; expiresAt: Date };
} {
  const token = newSecret('');
  const expiresAt = new Date(wall.now().getTime() + validMs);
  return {
    link: { url: `${config.publicUrl}/claim/${token}`, expiresAt },
    stored: { tokenHash: hashSecret(token), expiresAt },
  };
}

export const notPending = (message: string): QuittanceError =>
  new QuittanceError('claim_not_pending', message);

export const alreadyClaimed = (): QuittanceError =>
  new QuittanceError('organization_already_claimed', 'A human owns this organization already.');

/**
 * Issues a fresh link for the organization of the caller's key; every earlier one stops working at once (PLT-17). Throws `claim_not_pending`
 * for an organization that no program provisioned and `organization_already_claimed` for one with an owner.
 */
export const renewClaimLink = (ctx: Context): Promise<IssuedLink> =>
  // A link has no business time, so the test clock is not held up.
  inTransaction(
    ctx,
    async ({ transaction, environment: { organizationId }, app }) => {
      const claims = transaction.prisma.organizationClaim;
      const { link, stored } = drawLink(app);
      const { count } = await claims.updateMany({ where: { organizationId, claimedAt: null }, data: stored });
      if (count === 1) return link;
      const isKnown = (await claims.count({ where: { organizationId } })) === 1;
      throw isKnown
        ? alreadyClaimed()
        : notPending('This organization was not provisioned for a human to claim.');
    },
    { clockLock: 'none' },
  );

/** The claim a token leads to, with its organization's name. Throws `claim_not_pending` for a token that was never issued or was replaced. */
export async function findClaim(prisma: Transaction['prisma'], token: string) {
  const claim = await prisma.organizationClaim.findUnique({
    where: { tokenHash: hashSecret(token) },
    include: { organization: true },
  });
  if (claim === null) throw notPending('This claim link is not valid; a newer one may have replaced it.');
  return claim;
}

/** Reads the organization of a claim link, without being signed in: holding the link is enough. Throws as `findClaim`. */
export async function readClaim({ app }: Context, token: string): Promise<ClaimView> {
  const { organization, expiresAt, claimedAt } = await findClaim(app.database.prisma, token);
  const status = claimedAt !== null ? 'claimed' : expiresAt <= app.wall.now() ? 'expired' : 'open';
  return { organizationName: organization.name, status, expiresAt };
}
