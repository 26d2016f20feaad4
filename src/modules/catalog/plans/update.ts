import { isDeepStrictEqual } from 'node:util';
import { searchTextOf } from '../../../domain/text/folding.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction } from '../../../request/transaction.ts';
import { type PlanRow, requireLockedPlan } from './store.ts';

/** Changes to a plan. `undefined` keeps the current value, and `null` removes the description (CAT-6). */
export type PlanChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Updates the name, description, metadata, or visibility of a plan. Metadata is replaced as a whole. Throws `plan_not_found`. */
export const updatePlan = (ctx: Context, input: PlanChanges): Promise<PlanRow> =>
  inTransaction(ctx, async (tx) => {
    const plan = await requireLockedPlan(tx, input.id);
    const next = {
      name: input.name ?? plan.name,
      description: input.description === undefined ? plan.description : input.description,
      metadata: (input.metadata ?? plan.metadata) as PlanRow['metadata'],
      isPublic: input.isPublic ?? plan.isPublic,
    };
    const { name, description, metadata, isPublic } = plan;
    if (isDeepStrictEqual(next, { name, description, metadata, isPublic })) return plan;
    const searchText = searchTextOf(next.name, plan.code);
    const changes = { ...next, searchText, updatedAt: tx.clock.now() };
    await tx.db.plan.update({ where: { id: plan.id }, data: changes });
    return { ...plan, ...changes };
  });
