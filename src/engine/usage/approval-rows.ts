import { hash } from 'node:crypto';
import { approvalMs } from '../../domain/limits/approval.ts';
import type { UsageApproval } from '../../domain/limits/usage-approval.ts';
import type { ApprovalDraft } from '../policy/approvals.ts';

/** Returns the row of an approval that rejected usage requests. `now` is real time. */
export function approvalRow(
  { id, customerId, limitId, budgetKey, raise }: UsageApproval,
  now: Date,
): ApprovalDraft & { readonly seq: null } {
  const previewHash = hash('sha256', id);
  return {
    id,
    seq: null,
    apiKeyId: null,
    customerId,
    limitId,
    budgetKey,
    raise,
    operation: 'usageTrack',
    arguments: { customerId, budget: budgetKey, limitId },
    argumentsHash: previewHash,
    previewHash,
    preview: { events: [], money: [], amountUsd: 0 },
    role: 'member',
    status: 'pending',
    decidedBy: null,
    note: null,
    expiresAt: new Date(now.getTime() + approvalMs),
    decidedAt: null,
    usedAt: null,
    createdAt: now,
  };
}
