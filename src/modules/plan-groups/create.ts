import type { Context } from '../../context.ts';
import { newId } from '../../platform/ids.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import type { PlanGroupRow } from '../plans/store.ts';

/** What a creating call says of a group; it is public by default. */
export type NewPlanGroupInput = {
  readonly name: string;
  readonly description?: string | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

/** Creates a group without plans. Names need not be unique. */
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
