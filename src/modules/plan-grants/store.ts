import type { Context } from '../../context.ts';
import type { PlanGrantDuration, PlanGrantSource } from '../../domain/enums.ts';
import type { GrantTerm } from '../../domain/subscription/allowances/plan-grants.ts';
import { type CommandInput, executeOne } from '../../engine/execute.ts';
import type { Row } from '../../platform/db/rows.ts';
import { requireCustomer } from '../customers/store.ts';

export type PlanGrantRow = Row<'PlanGrant'>;

/** How long a grant lasts, as callers say it; the shape rules have seen to it that only what belongs to the duration is there. */
export type DurationInput = {
  readonly duration: PlanGrantDuration;
  readonly durationCycles?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
};

/** The duration as decisions take it. */
export const termOf = ({ duration, durationCycles, expiresAt }: DurationInput): GrantTerm => ({
  duration,
  durationCycles: durationCycles ?? null,
  requestedExpiresAt: expiresAt ?? null,
});

/** The caller, as the history shows it (PLT-8). */
export const sourceOf = ({ caller }: Context): PlanGrantSource =>
  caller.kind === 'member' ? 'dashboard' : 'api';

type GrantCommand = Extract<
  CommandInput,
  { readonly kind: 'grant.create' | 'grant.update' | 'grant.revoke' }
>;

/** Has the engine execute a command about a grant of a customer and answers the grant as it is at that time. Throws `customer_not_found` and what the decision rejects. */
export async function executeGrant(
  ctx: Context,
  customer: string,
  command: GrantCommand,
): Promise<PlanGrantRow> {
  const { id } = await requireCustomer(ctx, customer);
  await executeOne(ctx, id, command);
  const grant = await ctx.db.planGrant.findFirst({ where: { id: command.grantId } });
  if (grant === null) throw new Error(`The plan grant ${command.grantId} was not written.`);
  return grant;
}
