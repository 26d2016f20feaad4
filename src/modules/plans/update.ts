import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { inTransaction } from '../../transaction.ts';
import { type PlanRow, requireLockedPlan } from './store.ts';

/** Changes to a plan; what is undefined stays, a null description empties it (CAT-6). */
export type PlanChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Changes texts, metadata or visibility of a plan; metadata is replaced as a whole. Throws `plan_not_found`. */
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
    const changes = { ...next, updatedAt: tx.clock.now() };
    await tx.db.plan.update({ where: { id: plan.id }, data: changes });
    return { ...plan, ...changes };
  });
