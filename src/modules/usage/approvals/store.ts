import DataLoader from 'dataloader';
import { specificError } from '../../../domain/errors/errors.ts';
import { hasScope } from '../../../domain/limits/permissions.ts';
import type { ApprovalRow } from '../../../engine/policy/approvals.ts';
import { findRuns, type RunOutcome, runOutcomeOf } from '../../../engine/policy/approved-runs.ts';
import { loadRow } from '../../../graphql/reading/loaders.ts';
import type { Context } from '../../../request/context.ts';

export type { ApprovalRow } from '../../../engine/policy/approvals.ts';

/** Returns true if the caller can read the approvals of all API keys. Other API keys can read only approvals of usage, and approvals that they requested. */
export const readsAll = ({ caller }: Context): boolean =>
  caller.kind !== 'key' || hasScope(caller, 'keys', 'organization');

/** Returns an approval that the caller can read. Throws `not_found`. */
export async function requireApproval(ctx: Context, id: string): Promise<ApprovalRow> {
  const approval = await loadRow(ctx, 'Approval', id);
  const { caller } = ctx;
  const isOthers = caller.kind === 'key' && ![null, caller.apiKeyId].includes(approval?.apiKeyId ?? null);
  if (approval === null || (isOthers && !readsAll(ctx)))
    throw specificError('not_found', 'approval', { param: 'id' });
  return approval;
}

/** Returns the approval with this ID, and locks it until the transaction ends. Throws `not_found`. */
export async function lockApproval(tx: Context, id: string): Promise<ApprovalRow> {
  await tx.sql('SELECT 1 FROM "Approval" WHERE "environmentId" = $1 AND id = $2 FOR UPDATE', [id]);
  const approval = await tx.db.approval.findFirst({ where: { id } });
  if (approval === null) throw specificError('not_found', 'approval', { param: 'id' });
  return approval;
}

/** Returns the stored outcome of an approved call that Quittance made. `null` if no outcome is stored. Lookups are batched. */
export const loadRunOutcome = (ctx: Context, id: string): Promise<RunOutcome | null> =>
  ctx
    .once(
      'runOutcomes',
      () =>
        new DataLoader<string, RunOutcome | null>(async (ids) => {
          const found = await findRuns(ctx, ids);
          return ids.map((each) => {
            const state = found.get(each);
            return state?.state === 'answered' ? runOutcomeOf(state.answer.body) : null;
          });
        }),
    )
    .load(id);
