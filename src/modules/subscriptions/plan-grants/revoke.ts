import type { Context } from '../../../request/context.ts';
import { executeGrant, type PlanGrantRow, sourceOf } from './store.ts';

/** Parameters for revoking a grant. `customerId` is an ID or external ID. */
export type RevokeGrantInput = {
  readonly customerId: string;
  readonly grantId: string;
  readonly reason: string;
};

/** Revokes a plan grant immediately (SUB-56) and returns it. Throws `customer_not_found`, and `not_found` if the grant has ended. */
export const revokeGrant = (
  ctx: Context,
  { customerId: id, grantId, reason }: RevokeGrantInput,
): Promise<PlanGrantRow> =>
  executeGrant(ctx, id, { kind: 'grant.revoke', grantId, reason, source: sourceOf(ctx) });
