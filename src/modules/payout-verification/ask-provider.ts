// A verification at the provider: what the provider receives, and what its answers do (PAY-38).
import type { Context } from '../../context.ts';
import type { ProviderRequestRow } from '../../domain/provider-request.ts';
import { type VerificationDecision, verificationAnswered } from '../../domain/verification.ts';
import { decideAccount } from '../../engine/payout-store.ts';
import { loadExistingRow } from '../../graphql/loaders.ts';
import type { PayoutProvider, VerificationOrder } from '../../providers/payout-provider.ts';
import { destinationOf } from '../bank-accounts/add.ts';
import { makeOrInquire, takeAnswer } from '../provider-requests/request.ts';
import type { SealedDetails } from './submit.ts';

async function orderOf(ctx: Context, id: string): Promise<VerificationOrder> {
  const { country, sealedDetails, bankAccountId } = await loadExistingRow(ctx, 'PayoutVerification', id);
  if (sealedDetails === null) throw new Error(`The verification ${id} has been decided.`);
  // Sealed by `submitVerification`, which is the only one to write it.
  const details = JSON.parse(ctx.app.secrets.decrypt(sealedDetails)) as SealedDetails;
  return { id, country, ...details, bankAccount: await destinationOf(ctx, bankAccountId) };
}

/** What was submitted is not needed any more once it is decided, and goes. */
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

/** Asks the provider about a verification, and takes its answer in: whether the organization may be paid. */
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
