// Sends verification requests to the payout provider and processes the responses (PAY-38).

import type { ProviderRequestRow } from '../../../domain/payments/provider-request.ts';
import { type VerificationDecision, verificationAnswered } from '../../../domain/payments/verification.ts';
import { decideAccount } from '../../../engine/effects/payout-store.ts';
import { loadExistingRow } from '../../../graphql/reading/loaders.ts';
import type { PayoutProvider, VerificationOrder } from '../../../providers/payout-provider.ts';
import type { Context } from '../../../request/context.ts';
import { makeOrInquire, takeAnswer } from '../../organization/provider-requests/request.ts';
import { destinationOf } from '../bank-accounts/add.ts';
import type { SealedDetails } from './submit.ts';

async function orderOf(ctx: Context, id: string): Promise<VerificationOrder> {
  const { country, sealedDetails, bankAccountId } = await loadExistingRow(ctx, 'PayoutVerification', id);
  if (sealedDetails === null) throw new Error(`The verification ${id} is already decided.`);
  // Only `submitVerification` writes this value, which is always encrypted.
  const details = JSON.parse(ctx.app.secrets.decrypt(sealedDetails)) as SealedDetails;
  return { id, country, ...details, bankAccount: await destinationOf(ctx, bankAccountId) };
}

/** Records the provider's decision and deletes the submitted details, which are no longer needed. */
async function decide(
  tx: Context,
  accountId: string,
  id: string,
  decision: VerificationDecision,
): Promise<void> {
  const now = tx.clock.now();
  const reasons = decision.status === 'rejected' ? decision.reasons : [];
  await decideAccount(tx.sql, accountId, decision.status === 'approved' ? 'verified' : 'rejected', now);
  await tx.db.payoutVerification.update({
    where: { id },
    data: {
      status: decision.status,
      reasons: reasons.map((reason) => ({ ...reason })),
      sealedDetails: null,
      decidedAt: now,
    },
  });
}

/**
 * Sends a verification to the provider, or requests its status if it was already sent, and applies the response. The response determines
 * whether the organization can receive payouts.
 */
export async function withSnapshotVerification(
  ctx: Context,
  { verifications }: PayoutProvider,
  request: ProviderRequestRow,
): Promise<void> {
  const { id } = request;
  const answer = await makeOrInquire(ctx, verifications, request, () => orderOf(ctx, id));
  await takeAnswer(ctx, id, async (tx, locked, account) => {
    const { request: next, decision } = verificationAnswered(locked, answer, tx.wall.now());
    if (decision !== null) await decide(tx, account.id, id, decision);
    return next;
  });
}
