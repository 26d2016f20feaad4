import { shownCustomerId } from '../../domain/events/event-data.ts';
import type { Row } from '../../platform/db/rows.ts';
import type { Context } from '../../request/context.ts';
import { recordEvents } from '../../request/transaction.ts';
import type { ApprovalRow } from './approvals.ts';

/** Decision of a member about an approval. `ran` is true if Quittance makes the approved call. `now` is real time. */
export type Decision = {
  readonly decision: 'approve' | 'reject';
  readonly decidedBy: string;
  readonly note: string | null;
  readonly ran: boolean;
  readonly now: Date;
};

/** Stores who decided about a locked approval, and records the event. The caller of the context is the member. */
export async function recordDecision(
  tx: Context,
  { id, apiKeyId, limitId, operation, preview, previewHash, expiresAt, customerId }: ApprovalRow,
  { decision, decidedBy, note, ran, now }: Decision,
): Promise<void> {
  await tx.sql(
    `UPDATE "Approval" SET "decidedBy" = $3, note = $4, "decidedAt" = $5 WHERE "environmentId" = $1 AND id = $2`,
    [id, decidedBy, note, now],
  );
  const customer: Row<'Customer'> | null =
    customerId === null ? null : await tx.db.customer.findFirst({ where: { id: customerId } });
  await recordEvents(tx, [
    {
      kind: 'approval.decided',
      subscriptionId: null,
      customerId,
      occurredAt: tx.clock.now(),
      data: {
        approvalId: id,
        apiKeyId,
        customerId: customer === null ? null : shownCustomerId(customer),
        limitId,
        operation,
        money: preview.money,
        previewHash,
        expiresAt: expiresAt.toISOString(),
        decision,
        decidedBy,
        ran,
      },
    },
  ]);
}
