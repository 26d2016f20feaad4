// Approved calls that Quittance makes as the API key that requested them (AGT-75). The response is stored under an idempotency key that
// belongs to the approval, so that the call is made at most once, and repeated calls of the API key return the response.
import { hash } from 'node:crypto';
import { QuittanceError, type Rejection, specificError } from '../../domain/errors/errors.ts';
import { fromTypedJson } from '../../domain/text/typed-json.ts';
import { columnList } from '../../platform/db/bulk.ts';
import type { Query } from '../../platform/db/pool.ts';
import { type FoundKey, findKeysInUse, type KeyRequest } from '../../platform/idempotency.ts';
import type { ApprovedRun } from '../../request/approved-run.ts';
import { type Context, type GuardedOperation, RequestContext } from '../../request/context.ts';
import { approvedRunnerOf } from '../../request/run-approved.ts';
import { OutsideCallError } from '../commit.ts';
import {
  type ApprovalRow,
  approvalDetails,
  argumentsHashOf,
  isOpen,
  keepsResponse,
  keptSince,
} from './approvals.ts';
import { recordDecision } from './decisions.ts';
import { type Previewed, plainJson } from './preview.ts';

/** Error in the format of the REST API. */
export type ShownError = {
  readonly code: string;
  readonly message: string;
  readonly param?: string;
  readonly details?: unknown;
};

/**
 * Stored outcome of an approved call. `result` and `error` are in the format of the REST API. `value` is the result of the root field as
 * typed JSON, from which a repeated call resolves its selection.
 */
export type RunOutcome =
  | { readonly result: unknown; readonly value: string }
  | { readonly error: ShownError; readonly rejection: Rejection };

/** Returns the idempotency key of an approved call. Clients can't send this key, because headers contain no line breaks. */
export const runKeyOf = (approvalId: string): KeyRequest => ({
  key: `approval\n${approvalId}`,
  fingerprint: hash('sha256', approvalId),
});

/** Returns the outcome in a stored response. */
export const runOutcomeOf = (body: string): RunOutcome => JSON.parse(body) as RunOutcome;

/** Returns the states of the idempotency keys of approved calls, by ID of the approval. */
export async function findRuns(
  { app, environment, transaction, wall }: Context,
  approvalIds: readonly string[],
): Promise<ReadonlyMap<string, FoundKey>> {
  const keys = approvalIds.map(runKeyOf);
  const terms = { now: wall.now(), lockTimeoutMs: app.config.idempotencyLockTimeoutMs };
  const read = (query: Query) =>
    findKeysInUse(query, { environmentId: environment.id }, keys, terms, app.secrets);
  const found =
    transaction === null
      ? await app.database.share.run(environment.id, () =>
          app.database.transaction(({ query }) => read(query)),
        )
      : await read(transaction.query);
  return new Map(
    approvalIds.flatMap((id) => {
      const state = found.get(runKeyOf(id).key);
      return state === undefined ? [] : [[id, state] as const];
    }),
  );
}

/** Returns the approval of a call that Quittance has made, and whose response is still stored. `null` if there's none. */
async function findMade(
  ctx: Context,
  apiKeyId: string,
  { name, args }: GuardedOperation,
): Promise<ApprovalRow | null> {
  const now = ctx.wall.now();
  const [row] = await ctx.sql<ApprovalRow>(
    `SELECT ${columnList('Approval', 't')} FROM "Approval" t
     WHERE t."environmentId" = $1 AND t."argumentsHash" = $2 AND t."apiKeyId" = $3 AND t."ranAt" > $4
       AND ($5::text IS NULL OR t.id = $5) ORDER BY t."ranAt" DESC LIMIT 1`,
    [argumentsHashOf(name, plainJson(args)), apiKeyId, keptSince(now), ctx.approvalId],
  );
  return row !== undefined && keepsResponse(row, now) ? row : null;
}

/** Completes the interrupted work of an approved call as the API key that repeats the call. */
async function complete(ctx: Context, approval: ApprovalRow): Promise<void> {
  // The work can require provider calls, which aren't possible inside a transaction.
  if (ctx.transaction !== null) throw new OutsideCallError();
  const inner = new RequestContext(ctx.app, ctx.requestId);
  inner.become(ctx.caller, ctx.environment);
  await approvedRunnerOf(ctx.app).run(inner, approval, null);
}

/**
 * Returns the stored result of a call that Quittance has made for the calling API key. `null` if Quittance hasn't made the call. Throws the
 * stored error of a failed call, and `idempotency_in_progress` while the call is being made.
 */
export async function madeResult(
  ctx: Context,
  apiKeyId: string,
  operation: GuardedOperation,
): Promise<{ readonly value: unknown } | null> {
  const approval = await findMade(ctx, apiKeyId, operation);
  if (approval === null) return null;
  const stateOf = async () => (await findRuns(ctx, [approval.id])).get(approval.id);
  let found = await stateOf();
  if (found?.state === 'left') {
    await complete(ctx, approval);
    found = await stateOf();
  }
  if (found === undefined) throw specificError('idempotency_in_progress', 'approved_call_interrupted');
  if (found.state !== 'answered') throw specificError('idempotency_in_progress', 'approved_call');
  const outcome = runOutcomeOf(found.answer.body);
  if ('rejection' in outcome) throw new QuittanceError(outcome.rejection);
  return { value: fromTypedJson(outcome.value) };
}

type Taking = {
  readonly apiKeyId: string;
  readonly operation: GuardedOperation;
  readonly previewed: Previewed;
};

/**
 * Uses the approval of a call that Quittance makes, records the decision, and returns the ID of the approval. Throws `validation_error` if
 * the approval can't be used anymore. Throws `forbidden` with the reason `preview_changed` if the effects of the call have changed.
 */
export async function takeForRun(
  tx: Context,
  run: ApprovedRun,
  { apiKeyId, operation, previewed }: Taking,
  now: Date,
): Promise<string> {
  // The database can repeat the transaction.
  run.isTaken = false;
  const [approval] = await tx.sql<ApprovalRow>(
    `SELECT ${columnList('Approval', 't')} FROM "Approval" t WHERE t."environmentId" = $1 AND t.id = $2 FOR UPDATE`,
    [run.approvalId],
  );
  const argumentsHash = argumentsHashOf(operation.name, plainJson(operation.args));
  if (approval?.apiKeyId !== apiKeyId || approval.argumentsHash !== argumentsHash)
    throw new Error(`The approval ${run.approvalId} is for another call.`);
  if (approval.status !== 'pending' && approval.status !== 'approved')
    throw specificError('validation_error', 'approval_decided', { param: 'id' });
  if (!isOpen(approval, now)) throw specificError('validation_error', 'approval_expired', { param: 'id' });
  if (approval.previewHash !== previewed.hash)
    throw specificError('forbidden', 'run_changed', {
      details: {
        reason: 'preview_changed',
        ...approvalDetails(tx, { ...approval, preview: previewed.preview, previewHash: previewed.hash }),
      },
    });
  await tx.sql(
    `UPDATE "Approval" SET status = 'used', "usedAt" = $3, "ranAt" = $3 WHERE "environmentId" = $1 AND id = $2`,
    [approval.id, now],
  );
  if (approval.status === 'pending' && run.decision !== null) {
    const { caller, note } = run.decision;
    await recordDecision({ ...tx, caller }, approval, {
      decision: 'approve',
      decidedBy: caller.memberId,
      note,
      ran: true,
      now,
    });
  }
  run.isTaken = true;
  return approval.id;
}
