import { QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import { hasRole } from '../../../domain/limits/member-roles.ts';
import { dayMs } from '../../../domain/time/period.ts';
import { recordDecision } from '../../../engine/policy/decisions.ts';
import type { Caller, Context, TransactionContext } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { raiseLimit } from '../limits/change-raises.ts';
import { type ApprovalRow, lockApproval } from './store.ts';

export type DecisionInput = {
  readonly id: string;
  readonly decision: 'approve' | 'reject';
  readonly run?: boolean | null | undefined;
  readonly note?: string | null | undefined;
};

/** Returns the member who decides. Throws `forbidden` if the member's role is lower than the role that the operation requires. */
export function deciderOf({ caller }: Context, { role }: ApprovalRow): Extract<Caller, { kind: 'member' }> {
  if (caller.kind !== 'member') throw new Error('Only members can decide.');
  if (!hasRole(caller.role, role)) throw specificError('forbidden', 'role', { values: { role } });
  return caller;
}

/** Raises the limit that rejected the usage, until its window ends, or for a day if the window has no end. */
async function raise(
  tx: TransactionContext,
  { limitId, customerId, budgetKey, raise: amount, note }: ApprovalRow,
) {
  if (limitId === null || customerId === null || amount === null) return;
  const input = {
    id: limitId,
    node: { customer: customerId, budget: budgetKey },
    amount: Number(amount),
    reason: note,
  };
  const tomorrow = new Date(tx.clock.now().getTime() + dayMs);
  await raiseLimit(tx, input).catch((error: unknown) => {
    if (error instanceof QuittanceError && error.param === 'until')
      return raiseLimit(tx, { ...input, until: tomorrow });
    throw error;
  });
}

/**
 * Approves or rejects a request. A repeated decision returns the approval unchanged. Throws `not_found`, `forbidden` if the operation requires
 * a higher role, and `validation_error` if the approval has expired or another decision was made.
 */
export const decideApproval = (ctx: Context, { id, decision, note }: DecisionInput): Promise<ApprovalRow> =>
  inTransaction(
    ctx,
    async (tx) => {
      const approval = await lockApproval(tx, id);
      const decidedBy = deciderOf(tx, approval).memberId;
      const isRaise = approval.limitId !== null;
      const status = decision === 'reject' ? 'rejected' : isRaise ? 'used' : 'approved';
      if (approval.status === status && approval.decidedBy === decidedBy) return approval;
      if (approval.status !== 'pending')
        throw specificError('validation_error', 'approval_decided', { param: 'id' });
      const now = tx.wall.now();
      if (approval.expiresAt <= now)
        throw specificError('validation_error', 'approval_expired', { param: 'id' });
      const usedAt = status === 'used' ? now : null;
      await tx.db.approval.update({ where: { id }, data: { status, usedAt } });
      await recordDecision(tx, approval, { decision, decidedBy, note: note ?? null, ran: false, now });
      const decided = await lockApproval(tx, id);
      if (status === 'used') await raise(tx, decided);
      return decided;
    },
    { clockLock: 'none' },
  );
