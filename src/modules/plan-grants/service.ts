import type { Context } from '../../context.ts';
import type { GrantTerm } from '../../domain/subscription/aggregate.ts';
import type { PlanGrantDuration, PlanGrantSource } from '../../domain/words.ts';
import { executeOne, type Order } from '../../engine/execute.ts';
import type { Row } from '../../infra/rows.ts';
import { requireCustomer } from '../customers/service.ts';

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

/** Who asks, as timelines show it (PLT-8). */
export const sourceOf = ({ caller }: Context): PlanGrantSource => (caller.kind === 'member' ? 'dashboard' : 'api');

type GrantOrder = Extract<Order, { readonly kind: 'grant.create' | 'grant.update' | 'grant.revoke' }>;

/** Has the engine execute an order about a grant of a customer and answers the grant as it then is. Throws `customer_not_found` and what the decision refuses. */
export async function orderGrant(context: Context, customer: string, order: GrantOrder): Promise<PlanGrantRow> {
  const { id } = await requireCustomer(context, customer);
  await executeOne(context, id, order);
  const grant = await context.db.planGrant.findFirst({ where: { id: order.grantId } });
  if (grant === null) throw new Error(`The plan grant ${order.grantId} was not written.`);
  return grant;
}
