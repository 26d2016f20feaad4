import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { Transaction } from '../../../platform/db/pool.ts';
import { newSecret } from '../../../platform/ids.ts';
import { hashSecret } from '../../../platform/secrets.ts';
import type { App, Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { findOrganization, hasCharged, hasOwner, storeClaim } from './store.ts';

/** Validity period of a claim link, in real time (PLT-17). */
const validMs = 7 * 86_400_000;

/** A newly issued claim link with its expiration time. */
export type IssuedLink = { readonly url: string; readonly expiresAt: Date };

export type ClaimStatus = 'open' | 'expired' | 'claimed';

/** Claim link details that anyone with the link can see. */
export type ClaimView = {
  readonly organizationName: string;
  readonly status: ClaimStatus;
  readonly expiresAt: Date;
};

type Parts = Pick<App, 'config' | 'wall'>;

/**
 * Issues a claim link for an organization without an owner, inside an open transaction. Earlier links stop working immediately (PLT-17).
 * Only a hash of the token is stored, because the token grants ownership. Throws `organization_already_claimed` if the organization has an
 * owner, and `claim_not_pending` if it was claimed but no longer has an owner.
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

/**
 * Issues a new claim link for the organization that the caller's live API key belongs to. Throws the same errors as `issueClaimLink`.
 * Throws `forbidden` after the first live charge, because a stolen key could then take over an operating business. After the first live
 * charge, only the operator can issue a link (PLT-17).
 */
export const renewClaimLink = (ctx: Context): Promise<IssuedLink> =>
  // Claim links don't depend on the environment's time, so the test clock isn't locked.
  inTransaction(
    ctx,
    async ({ transaction, sql, environment: { organizationId }, app }) => {
      if (await hasCharged(sql)) throw specificError('forbidden', 'claim_after_charge');
      return issueClaimLink(transaction, app, organizationId);
    },
    { clockLock: 'none' },
  );

/**
 * Issues a new claim link for an organization and returns the link with the organization's name. If `id` is `null`, uses the oldest
 * organization. Returns `null` if the organization doesn't exist. Throws the same errors as `issueClaimLink`.
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

/** Returns the claim for a token, with its organization. Throws `claim_not_pending` if the token is unknown or was replaced. */
async function findClaim(prisma: Transaction['prisma'], token: string) {
  const claim = await prisma.organizationClaim.findUnique({
    where: { tokenHash: hashSecret(token) },
    include: { organization: true },
  });
  if (claim === null) throw specificError('claim_not_pending', 'invalid_link');
  return claim;
}

/** Returns the organization that a claim link belongs to. Doesn't require sign-in. Throws the same errors as `findClaim`. */
export async function readClaim({ app }: Context, token: string): Promise<ClaimView> {
  const { organization, expiresAt, claimedAt } = await findClaim(app.database.prisma, token);
  const status = claimedAt !== null ? 'claimed' : expiresAt <= app.wall.now() ? 'expired' : 'open';
  return { organizationName: organization.name, status, expiresAt };
}
