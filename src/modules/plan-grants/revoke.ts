import type { Context } from '../../context.ts';
import { executeGrant, type PlanGrantRow, sourceOf } from './store.ts';

/** Which grant of which customer to end, by our id or the external one, and why. */
export type RevokeGrantInput = {
  readonly customerId: string;
  readonly grantId: string;
  readonly reason: string;
};

/** Ends a grant at once (SUB-56) and answers it. Throws `customer_not_found`, and `not_found` for one that has ended. */
export const revokeGrant = (
  ctx: Context,
  { customerId: id, grantId, reason }: RevokeGrantInput,
): Promise<PlanGrantRow> =>
  executeGrant(ctx, id, { kind: 'grant.revoke', grantId, reason, source: sourceOf(ctx) });
