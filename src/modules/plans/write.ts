import { isDeepStrictEqual } from 'node:util';
import type { Context } from '../../context.ts';
import { QuittanceError } from '../../domain/errors.ts';
import type { ConsumptionModel } from '../../domain/words.ts';
import type { DeletedShape } from '../../graphql/deleted.ts';
import { newId } from '../../infra/ids.ts';
import { isUniqueViolation } from '../../infra/unique.ts';
import { inTransaction, nextSeq } from '../../transaction.ts';
import { noPlace, type Place, placeInGroup, requireLockedPlanGroup } from './placement.ts';
import { type PlanRow, requireLockedPlan } from './service.ts';

/** What a creating call says of a plan; what is left out gets its default (CAT-5). */
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

/** Changes to a plan; what is undefined stays, a null description empties it (CAT-6). */
export type PlanChanges = {
  readonly id: string;
  readonly name?: string | null | undefined;
  readonly description?: string | null | undefined;
  readonly metadata?: Record<string, unknown> | null | undefined;
  readonly isPublic?: boolean | null | undefined;
};

const codeTaken = (): QuittanceError => new QuittanceError('duplicate', 'Another plan has this code.', { param: 'code' });

/** The place at the end of the named group for a plan of this model, the group held locked; no place when none is named. */
async function placeFor(context: Context, group: string | null, consumptionModel: ConsumptionModel): Promise<Place> {
  if (group === null) return noPlace;
  const { id } = await requireLockedPlanGroup(context, group, 'planGroupId');
  return placeInGroup(context, id, { id: null, consumptionModel, param: 'planGroupId' });
}

/**
 * Creates a plan without prices and features, at the end of the group when one is named. Throws `plan_group_not_found`, `duplicate` for a
 * code another living plan has (CAT-5), and `validation_error` when the group's plans have another consumption model (CAT-39).
 */
export async function createPlan(context: Context, input: NewPlanInput): Promise<PlanRow> {
  const consumptionModel = input.consumptionModel ?? 'metered';
  try {
    return await inTransaction(context, async (inner) => {
      const place = await placeFor(inner, input.planGroupId ?? null, consumptionModel);
      const taken = await inner.db.plan.findFirst({ where: { code: input.code, deletedAt: null } });
      if (taken !== null) throw codeTaken();
      const now = inner.clock.now();
      return inner.db.plan.create({
        data: {
          id: newId('pln'),
          seq: await nextSeq(inner),
          name: input.name,
          code: input.code,
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

/** Changes texts, metadata or visibility of a plan; metadata is replaced as a whole. Throws `plan_not_found`. */
export const updatePlan = (context: Context, input: PlanChanges): Promise<PlanRow> =>
  inTransaction(context, async (inner) => {
    const plan = await requireLockedPlan(inner, input.id);
    const next = {
      name: input.name ?? plan.name,
      description: input.description === undefined ? plan.description : input.description,
      metadata: (input.metadata ?? plan.metadata) as PlanRow['metadata'],
      isPublic: input.isPublic ?? plan.isPublic,
    };
    const { name, description, metadata, isPublic } = plan;
    if (isDeepStrictEqual(next, { name, description, metadata, isPublic })) return plan;
    const changes = { ...next, updatedAt: inner.clock.now() };
    await inner.db.plan.update({ where: { id: plan.id }, data: changes });
    return { ...plan, ...changes };
  });

/** Retires a plan: it can no longer be found or selected, its subscriptions go on, its code is free again (CAT-12). Throws `plan_not_found`. */
export const deletePlan = (context: Context, reference: string): Promise<DeletedShape> =>
  inTransaction(context, async (inner) => {
    const { id } = await requireLockedPlan(inner, reference);
    const now = inner.clock.now();
    await inner.db.plan.update({ where: { id }, data: { deletedAt: now, updatedAt: now } });
    return { id, object: 'plan' };
  });
