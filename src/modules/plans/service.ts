import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import { lockPlanRow } from '../../infra/locks.ts';
import type { Row } from '../../infra/rows.ts';

export type PlanRow = Row<'Plan'>;
export type PlanPriceRow = Row<'PlanPrice'>;
export type PlanFeatureRow = Row<'PlanFeature'>;

/** From when on the first version of a price is valid: before every instant a subscription can ask about (protocols B8). */
export const beginningOfTime = new Date('0001-01-01T00:00:00.000Z');

/** The plan addressed by its id, else by its code, that was not deleted; null when there is none. */
export async function findPlan(context: Context, reference: string): Promise<PlanRow | null> {
  const found = await context.db.plan.findMany({ where: { deletedAt: null, OR: [{ id: reference }, { code: reference }] } });
  return found.find((plan) => plan.id === reference) ?? found[0] ?? null;
}

/** The plan addressed by its id, else by its code. Throws `plan_not_found`, also for a deleted one (CAT-12). */
export async function requirePlan(context: Context, reference: string, param = 'id'): Promise<PlanRow> {
  const plan = await findPlan(context, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', 'No such plan.', { param });
  return plan;
}

/**
 * Locks the plan until the transaction ends and answers it as it then is; null when there is none or it was deleted meanwhile.
 * Everything that writes prices or features of a plan begins here, so that defaults and duplicates cannot race.
 */
export async function lockPlan(context: Context, reference: string): Promise<PlanRow | null> {
  const plan = await findPlan(context, reference);
  if (plan === null) return null;
  await lockPlanRow(context.sql, plan.id);
  return findPlan(context, plan.id);
}

/** The same. Throws `plan_not_found`. */
export async function requireLockedPlan(context: Context, reference: string): Promise<PlanRow> {
  const plan = await lockPlan(context, reference);
  if (plan === null) throw new QuittanceError('plan_not_found', 'No such plan.', { param: 'id' });
  return plan;
}

/** The price of the plan, archived or not. Throws `price_not_found`, also for a price of another plan. */
export async function requirePrice(context: Context, planId: string, priceId: string): Promise<PlanPriceRow> {
  const price = await context.db.planPrice.findFirst({ where: { id: priceId, planId } });
  if (price === null) throw priceNotFound('priceId');
  return price;
}

/** The refusal for a price the plan does not have, or that can no longer be selected; `param` is the input that named it. */
export const priceNotFound = (param: string): QuittanceError =>
  new QuittanceError('price_not_found', 'The plan has no such price.', { param });
