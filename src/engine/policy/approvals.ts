import { hash } from 'node:crypto';
import { QuittanceError, specificError, specificRejection } from '../../domain/errors/errors.ts';
import { approvalMs, withoutSecrets } from '../../domain/limits/approval.ts';
import { canonicalJson } from '../../domain/text/json.ts';
import { dayMs } from '../../domain/time/period.ts';
import { columnList, partInsert, partParameters } from '../../platform/db/bulk.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Context, GuardedOperation, TransactionContext } from '../../request/context.ts';
import { inTransaction, nextSeq, recordEvents } from '../../request/transaction.ts';
import { type Previewed, plainJson } from './preview.ts';

export type ApprovalRow = Row<'Approval'>;

/** Approval that isn't stored yet. */
export type ApprovalDraft = Omit<ApprovalRow, 'environmentId' | 'seq'>;

const forbiddenReasons = {
  approval_required: () => specificRejection('forbidden', 'approval_required'),
  preview_changed: () => specificRejection('forbidden', 'preview_changed'),
} as const;

/** Address of an approval in the dashboard. */
const urlOf = ({ app, livemode }: Context, id: string): string =>
  `${app.config.publicUrl}/dashboard/${livemode ? 'live' : 'sandbox'}/approvals/${id}`;

/** Details of an error that names an approval. */
export const approvalDetails = (
  ctx: Context,
  {
    id,
    expiresAt,
    previewHash,
    preview,
  }: Pick<ApprovalDraft, 'id' | 'expiresAt' | 'previewHash' | 'preview'>,
) => ({
  approvalId: id,
  expiresAt: expiresAt.toISOString(),
  previewHash,
  preview: { events: preview.events, money: preview.money },
  url: urlOf(ctx, id),
});

/**
 * Error for an operation that needs an approval. The approval is stored after the changes of the operation are rolled back. `draft` is
 * `null` if the approval is stored already.
 */
export class ApprovalNeededError extends QuittanceError {
  readonly draft: ApprovalDraft | null;

  constructor(
    reason: keyof typeof forbiddenReasons,
    { details, draft }: { readonly details: object; readonly draft: ApprovalDraft | null },
  ) {
    super({ ...forbiddenReasons[reason](), details: { reason, ...details } });
    this.draft = draft;
  }
}

/** Inserts an approval, unless a concurrent equal call has stored it. */
const insertNew = partInsert('Approval', {
  onConflict: 'ON CONFLICT ("environmentId", id) DO NOTHING RETURNING id',
});

/** Stores the approvals that operations need, with their events. An approval that another call stored stays unchanged. */
async function storeApprovals(tx: TransactionContext, drafts: readonly ApprovalDraft[]): Promise<void> {
  for (const draft of drafts) {
    const row = { ...draft, seq: await nextSeq(tx) };
    const stored = await tx.sql(insertNew, partParameters('Approval', [row]));
    if (stored.length === 0) continue;
    const { id, apiKeyId, limitId, customerId, operation, preview, previewHash, expiresAt } = draft;
    await recordEvents(tx, [
      {
        kind: 'approval.requested',
        subscriptionId: null,
        customerId,
        occurredAt: tx.clock.now(),
        data: {
          approvalId: id,
          apiKeyId,
          customerId,
          limitId,
          operation,
          money: preview.money,
          previewHash,
          expiresAt: expiresAt.toISOString(),
        },
      },
    ]);
  }
}

/** Stores the approval that a rejected operation needs. Does nothing for other errors. */
export async function keepApproval(ctx: Context, error: unknown): Promise<void> {
  const draft = error instanceof ApprovalNeededError ? error.draft : null;
  if (draft === null) return;
  await inTransaction(ctx, (tx) => storeApprovals(tx, [draft]), { clockLock: 'none' });
}

export const isOpen = ({ expiresAt }: Pick<ApprovalRow, 'expiresAt'>, now: Date): boolean => now < expiresAt;

/** Returns the time after which Quittance made the approved calls whose responses are stored. */
export const keptSince = (now: Date): Date => new Date(now.getTime() - dayMs);

/** Returns true if Quittance made the approved call, and its response is stored. */
export const keepsResponse = ({ ranAt }: Pick<ApprovalRow, 'ranAt'>, now: Date): boolean =>
  ranAt !== null && ranAt > keptSince(now);

/** Returns the ID of an approval. Equal requests get the same ID until the approval is decided or expires. */
const approvalIdOf = (parts: readonly unknown[]): string =>
  `apr_${hash('sha256', canonicalJson(parts)).slice(0, 22)}`;

/** Returns the hash that binds an approval to an operation and its arguments. */
export const argumentsHashOf = (operation: string, values: unknown): string =>
  hash('sha256', canonicalJson([operation, values]));

type Requested = {
  readonly apiKeyId: string;
  readonly operation: GuardedOperation;
  readonly previewed: Previewed;
  /** True if the policy requires an approval. An approval that the request names must be valid in any case. */
  readonly isNeeded: boolean;
  readonly limits: readonly object[];
};

/** Maximum number of pending approvals of an API key. */
const mostPending = 100;

/** Throws `rate_limited` if an API key can't request another approval. */
async function rejectTooMany(tx: Context, apiKeyId: string, now: Date): Promise<void> {
  const pending = await tx.sql<{ id: string }>(
    `SELECT id FROM "Approval" WHERE "environmentId" = $1 AND status = 'pending' AND "expiresAt" > $3 AND "apiKeyId" = $2 LIMIT ${mostPending}`,
    [apiKeyId, now],
  );
  if (pending.length >= mostPending)
    throw specificError('rate_limited', 'approvals_of_key', { values: { most: mostPending } });
}

/**
 * Uses an approval of an operation, and returns its ID. Returns `null` if no approval is needed. Throws ApprovalNeededError if the operation
 * isn't approved, or if its effects have changed since the approval. Throws `rate_limited` if the API key has too many pending approvals.
 */
export async function takeApproval(tx: Context, requested: Requested, now: Date): Promise<string | null> {
  const { apiKeyId, operation, previewed, isNeeded, limits } = requested;
  const named = tx.approvalId;
  if (named === null && !isNeeded) return null;
  const values = plainJson(operation.args);
  const argumentsHash = argumentsHashOf(operation.name, values);
  const known = await tx.sql<ApprovalRow>(
    `SELECT ${columnList('Approval', 't')} FROM "Approval" t
     WHERE t."environmentId" = $1 AND t."argumentsHash" = $2 AND t."apiKeyId" = $3 ORDER BY t.seq FOR UPDATE`,
    [argumentsHash, apiKeyId],
  );
  if (known.some((row) => keepsResponse(row, now) && (named === null || named === row.id)))
    throw specificError('idempotency_in_progress', 'approved_call');
  const usable = known.filter((row) => row.status === 'approved' && isOpen(row, now));
  const own = usable.find(({ id, previewHash }) =>
    named === null ? previewHash === previewed.hash : id === named,
  );
  if (own !== undefined && own.previewHash === previewed.hash) {
    await tx.sql(
      `UPDATE "Approval" SET status = 'used', "usedAt" = $3 WHERE "environmentId" = $1 AND id = $2`,
      [own.id, now],
    );
    return own.id;
  }
  if (own === undefined && !isNeeded) return null;
  const reason = own === undefined ? 'approval_required' : 'preview_changed';
  const alike = known.filter(({ previewHash }) => previewHash === previewed.hash);
  const pending = alike.find((row) => row.status === 'pending' && isOpen(row, now));
  if (pending !== undefined)
    throw new ApprovalNeededError(reason, {
      details: { limits, ...approvalDetails(tx, pending) },
      draft: null,
    });
  if (own !== undefined && !isNeeded)
    throw new ApprovalNeededError(reason, {
      details: {
        limits,
        ...approvalDetails(tx, { ...own, preview: previewed.preview, previewHash: previewed.hash }),
      },
      draft: null,
    });
  await rejectTooMany(tx, apiKeyId, now);
  const draft: ApprovalDraft = {
    id: approvalIdOf([tx.environment.id, apiKeyId, argumentsHash, previewed.hash, alike.length]),
    apiKeyId,
    customerId: null,
    limitId: null,
    budgetKey: null,
    raise: null,
    operation: operation.name,
    arguments: withoutSecrets(values, operation.name) as ApprovalRow['arguments'],
    argumentsHash,
    previewHash: previewed.hash,
    preview: previewed.preview,
    role: operation.role,
    status: 'pending',
    decidedBy: null,
    note: null,
    expiresAt: new Date(now.getTime() + approvalMs),
    decidedAt: null,
    usedAt: null,
    ranAt: null,
    createdAt: now,
  };
  throw new ApprovalNeededError(reason, { details: { limits, ...approvalDetails(tx, draft) }, draft });
}

/** Makes an approval usable again whose operation was rejected without any change, and without a response to store. */
export const returnApproval = async (tx: Context, id: string): Promise<void> => {
  await tx.sql(
    `UPDATE "Approval" SET status = 'approved', "usedAt" = NULL, "ranAt" = NULL WHERE "environmentId" = $1 AND id = $2`,
    [id],
  );
};
