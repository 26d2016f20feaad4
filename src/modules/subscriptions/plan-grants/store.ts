import type { PlanGrantDuration, PlanGrantSource } from '../../../domain/rows/enums.ts';
import type { GrantTerm } from '../../../domain/subscription/allowances/plan-grants.ts';
import type { Subject } from '../../../engine/operation.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { findSubject } from '../../customers/customers/store.ts';

export type PlanGrantRow = Row<'PlanGrant'>;

/** Duration of a plan grant in a request. The input validation only allows the fields of the chosen duration. */
export type DurationInput = {
  readonly duration: PlanGrantDuration;
  readonly durationCycles?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
};

/** Converts the duration of a plan grant to the format that commands use. */
export const termOf = ({ duration, durationCycles, expiresAt }: DurationInput): GrantTerm => ({
  duration,
  durationCycles: durationCycles ?? null,
  requestedExpiresAt: expiresAt ?? null,
});

/** Returns the source of a change, for the plan grant's history (PLT-8). */
export const sourceOf = ({ caller }: Context): PlanGrantSource =>
  caller.kind === 'member' ? 'dashboard' : 'api';

/** Subject (the customer) of operations on a plan grant. Throws `customer_not_found`. */
export const onGrant = {
  find: (ctx: Context, { customerId }: { readonly customerId: string }): Promise<Subject> =>
    findSubject(ctx, customerId, 'id'),
};

/** Returns a plan grant that was just stored. */
export async function requireGrant(ctx: Context, grantId: string): Promise<PlanGrantRow> {
  const grant = await ctx.db.planGrant.findFirst({ where: { id: grantId } });
  if (grant === null) throw new Error(`The plan grant ${grantId} was not written.`);
  return grant;
}
