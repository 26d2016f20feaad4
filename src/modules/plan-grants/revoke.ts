import type { Context } from '../../context.ts';
import { orderGrant, type PlanGrantRow, sourceOf } from './service.ts';

/** Which grant of which customer to end, by our id or the external one, and why. */
export type RevokeGrantInput = { readonly id: string; readonly grantId: string; readonly reason: string };

/** Ends a grant at once (SUB-56) and answers it. Throws `customer_not_found`, and `not_found` for one that has ended. */
export const revokeGrant = (context: Context, { id, grantId, reason }: RevokeGrantInput): Promise<PlanGrantRow> =>
  orderGrant(context, id, { kind: 'grant.revoke', grantId, reason, source: sourceOf(context) });
