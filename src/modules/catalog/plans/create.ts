import { type QuittanceError, specificError } from '../../../domain/errors/errors.ts';
import type { ConsumptionModel } from '../../../domain/rows/enums.ts';
import { searchTextOf } from '../../../domain/text/folding.ts';
import { isUniqueViolation } from '../../../platform/db/unique.ts';
import { newId } from '../../../platform/ids.ts';
import type { Context } from '../../../request/context.ts';
import { inTransaction, nextSeq } from '../../../request/transaction.ts';
import { placeFor } from './place-in-group.ts';
import { isCodeTaken, type PlanRow } from './store.ts';

/** Parameters for creating a plan. Omitted parameters get default values (CAT-5). */
export type NewPlanInput = {
  readonly name: string;
  readonly code: string;
  readonly description?: string | null | undefined;
  readonly consumptionModel?: ConsumptionModel | null | undefined;
  readonly isPublic?: boolean | null | undefined;
  readonly isFree?: boolean | null | undefined;
  readonly blockOnExhaustion?: boolean | null | undefined;
  readonly planGroupId?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
};

const codeTaken = (): QuittanceError => specificError('duplicate', 'plan_code', { param: 'code' });

/**
 * Creates a plan without prices and features, at the end of its plan group if a group is provided. Throws `plan_group_not_found`. Throws
 * `duplicate` if another plan has the code (CAT-5). Throws `validation_error` if the plans in the group have another consumption model
 * (CAT-39).
 */
export async function createPlan(ctx: Context, input: NewPlanInput): Promise<PlanRow> {
  const consumptionModel = input.consumptionModel ?? 'metered';
  try {
    return await inTransaction(ctx, async (tx) => {
      const place = await placeFor(tx, input.planGroupId ?? null, consumptionModel);
      if (await isCodeTaken(tx, input.code)) throw codeTaken();
      const now = tx.clock.now();
      return tx.db.plan.create({
        data: {
          id: newId('pln'),
          seq: await nextSeq(tx),
          name: input.name,
          code: input.code,
          searchText: searchTextOf(input.name, input.code),
          description: input.description ?? null,
          consumptionModel,
          isPublic: input.isPublic ?? true,
          isDefault: false,
          isFree: input.isFree ?? false,
          blockOnExhaustion: input.blockOnExhaustion ?? false,
          ...place,
          metadata: (input.metadata ?? {}) as PlanRow['metadata'],
          createdAt: now,
          updatedAt: now,
          deletedAt: null,
        },
      });
    });
  } catch (error) {
    throw isUniqueViolation(error) ? codeTaken() : error;
  }
}
