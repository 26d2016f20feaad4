import type { App, Context } from '../../context.ts';
import { type QuittanceError, specificError } from '../../domain/errors.ts';
import type { Transaction } from '../../platform/db/pool.ts';
import { newSecret } from '../../platform/ids.ts';
import { hashSecret } from '../../platform/secrets.ts';
import { inTransaction } from '../../transaction.ts';
import { findOrganization, hasOwner, storeClaim } from './store.ts';

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

/** What a link is issued with. */
type Parts = Pick<App, 'config' | 'wall'>;

/**
 * Issues a link to an organization without an owner inside an open transaction; every earlier one stops working at once (PLT-17). The hash of its
 * token is stored, since the token is as good as ownership. Throws `organization_already_claimed` for an organization with an owner and
 * `claim_not_pending` for one that was claimed and has none.
 */
export async function issueClaimLink(
  { query }: Transaction,
  { config, wall }: Parts,
  organizationId: string,
): Promise<IssuedLink> {
  const now = wall.now();
  const token = newSecret('');
  const expiresAt = new Date(now.getTime() + validMs);
  if (await storeClaim(query, organizationId, { tokenHash: hashSecret(token), expiresAt }, now))
    return { url: `${config.publicUrl}/claim/${token}`, expiresAt };
  throw (await hasOwner(query, organizationId))
    ? alreadyClaimed()
    : specificError('claim_not_pending', 'ownerless');
}

export const alreadyClaimed = (): QuittanceError => specificError('organization_already_claimed', 'owned');

/** Issues a new link for the organization of the caller's key. Throws as `issueClaimLink`. */
export const renewClaimLink = (ctx: Context): Promise<IssuedLink> =>
  // A link has no business time, so the test clock is not held up.
  inTransaction(
    ctx,
    ({ transaction, environment: { organizationId }, app }) =>
      issueClaimLink(transaction, app, organizationId),
    { clockLock: 'none' },
  );

/**
 * Issues a new link for an organization, or for the oldest one where none is named, and answers it with the organization's name; null where there is
 * no such organization. Throws as `issueClaimLink`.
 */
export const issueNamedClaimLink = (
  parts: Parts & Pick<App, 'database'>,
  id: string | null,
): Promise<{ readonly name: string; readonly link: IssuedLink } | null> =>
  parts.database.transaction(async (transaction) => {
    const found = await findOrganization(transaction.query, id);
    return found === null
      ? null
      : { name: found.name, link: await issueClaimLink(transaction, parts, found.id) };
  });

/** The claim a token leads to, with its organization's name. Throws `claim_not_pending` for a token that was never issued or was replaced. */
export async function findClaim(prisma: Transaction['prisma'], token: string) {
  const claim = await prisma.organizationClaim.findUnique({
    where: { tokenHash: hashSecret(token) },
    include: { organization: true },
  });
  if (claim === null) throw specificError('claim_not_pending', 'invalid_link');
  return claim;
}

/** Reads the organization of a claim link, without being signed in: holding the link is enough. Throws as `findClaim`. */
export async function readClaim({ app }: Context, token: string): Promise<ClaimView> {
  const { organization, expiresAt, claimedAt } = await findClaim(app.database.prisma, token);
  const status = claimedAt !== null ? 'claimed' : expiresAt <= app.wall.now() ? 'expired' : 'open';
  return { organizationName: organization.name, status, expiresAt };
}
