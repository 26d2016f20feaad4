import type { PlanGrantDuration, PlanGrantSource } from '../../../domain/rows/enums.ts';
import type { GrantTerm } from '../../../domain/subscription/allowances/plan-grants.ts';
import { type CommandInput, executeOne } from '../../../engine/execute.ts';
import type { Row } from '../../../platform/db/rows.ts';
import type { Context } from '../../../request/context.ts';
import { requireCustomer } from '../../customers/customers/store.ts';

export type PlanGrantRow = Row<'PlanGrant'>;

/** Duration of a plan grant in a request. The input validation only allows the fields of the chosen duration. */
export type DurationInput = {
  readonly duration: PlanGrantDuration;
  readonly durationCycles?: number | null | undefined;
  readonly expiresAt?: Date | null | undefined;
};

/** Converts the duration to the format that commands use. */
export const termOf = ({ duration, durationCycles, expiresAt }: DurationInput): GrantTerm => ({
  duration,
  durationCycles: durationCycles ?? null,
  requestedExpiresAt: expiresAt ?? null,
});

/** Returns the source of a change, for the plan grant's history (PLT-8). */
export const sourceOf = ({ caller }: Context): PlanGrantSource =>
  caller.kind === 'member' ? 'dashboard' : 'api';

type GrantCommand = Extract<
  CommandInput,
  { readonly kind: 'grant.create' | 'grant.update' | 'grant.revoke' }
>;

/**
 * Executes a command for a customer's plan grant and returns the updated grant. Throws `customer_not_found`, and the command's error if
 * it's rejected.
 */
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
