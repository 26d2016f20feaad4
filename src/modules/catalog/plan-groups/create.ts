import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import type { PlanGroupRow } from '../plans/store.ts';

/** Parameters for creating a plan group. Groups are public by default. */
export type NewPlanGroupInput = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Creates an empty plan group. Names don't have to be unique. */
export const createPlanGroup = (ctx: Context, input: NewPlanGroupInput): Promise<PlanGroupRow> =>
  inTransaction(ctx, async (tx) => {
    const now = tx.clock.now();
    const { name, description = null } = input;
    const data = {
      id: newId('plg'),
      seq: await nextSeq(tx),
      name,
      description,
      isPublic: input.isPublic ?? true,
    };
    return tx.db.planGroup.create({ data: { ...data, createdAt: now, updatedAt: now, deletedAt: null } });
  });
