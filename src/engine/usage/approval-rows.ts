import { hash } from 'node:crypto';
import { approvalMs } from '../../domain/limits/approval.ts';
import type { ApprovalTerms, RequestedApproval } from '../../domain/limits/usage-approval.ts';
import type { ApprovalDraft } from '../policy/approvals.ts';

/** Returns the preview hash and the deadline of an approval of usage that is requested at a real time in milliseconds. */
export const approvalTerms = (id: string, wallMs: number): ApprovalTerms => ({
  previewHash: hash('sha256', id),
  expiresAt: new Date(wallMs + approvalMs),
});

/** Returns the row of an approval that rejected usage requests. `now` is real time. */
export function approvalRow(
  { id, customerId, limitId, budgetKey, raise, previewHash, expiresAt }: RequestedApproval,
  now: Date,
): ApprovalDraft & { readonly seq: null } {
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
    expiresAt,
    decidedAt: null,
    usedAt: null,
    ranAt: null,
    createdAt: now,
  };
}
