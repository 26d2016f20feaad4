import { specificError } from '../../../domain/errors/errors.ts';
import { OutsideCallError } from '../../../engine/commit.ts';
import { findRuns } from '../../../engine/policy/approved-runs.ts';
import { type Context, RequestContext } from '../../../request/context.ts';
import { keyCaller } from '../../../request/key-caller.ts';
import { approvedRunnerOf } from '../../../request/run-approved.ts';
import { requireRunnable } from './check-run.ts';
import { type DecisionInput, deciderOf } from './resolve-approval.ts';
import { type ApprovalRow, requireApproval } from './store.ts';

/**
 * Returns true if the member has already had the call made, so that nothing is left to do. Throws `validation_error` if the approval was
 * used, rejected, or has expired, and `idempotency_in_progress` while the call is being made.
 */
async function isMade(ctx: Context, approval: ApprovalRow, memberId: string): Promise<boolean> {
  const { id, status, ranAt, decidedBy, expiresAt } = approval;
  if (ranAt !== null && decidedBy === memberId) {
    const state = (await findRuns(ctx, [id])).get(id)?.state;
    if (state === 'running') throw specificError('idempotency_in_progress', 'approved_call');
    return state !== 'left';
  }
  if (status !== 'pending' && status !== 'approved')
    throw specificError('validation_error', 'approval_decided', { param: 'id' });
  if (expiresAt <= ctx.wall.now())
    throw specificError('validation_error', 'approval_expired', { param: 'id' });
  return false;
}

/**
 * Approves a call and makes the call as its API key. A repeated decision of the same member returns the approval, and completes interrupted
 * work. If the call isn't made, the approval stays unchanged, and the error is thrown.
 */
export async function approveAndRun(
  ctx: Context,
  { id, decision, note }: DecisionInput,
): Promise<ApprovalRow> {
  // A dry run can't make the call, which needs its own transactions.
  if (ctx.transaction !== null) throw new OutsideCallError();
  const approval = await requireApproval(ctx, id);
  const caller = deciderOf(ctx, approval);
  if (decision === 'reject') throw specificError('validation_error', 'run_rejected', { param: 'run' });
  if (await isMade(ctx, approval, caller.memberId)) return approval;
  const key = await requireRunnable(ctx, approval);
  // The call has its own entry in the request log.
  const inner = new RequestContext(ctx.app, crypto.randomUUID());
  inner.become(keyCaller(key), ctx.environment);
  const isMadeHere = await approvedRunnerOf(ctx.app).run(inner, approval, { caller, note: note ?? null });
  ctx.forget();
  const made = await requireApproval(ctx, id);
  // Another member has had the call made at the same time.
  if (!isMadeHere && made.decidedBy !== caller.memberId)
    throw specificError('validation_error', 'approval_decided', { param: 'id' });
  return made;
}
