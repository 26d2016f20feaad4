import { maxRolloverWindows } from '../../../../domain/pricing/rollover.ts';
import { builder } from '../../../../graphql/reading/builder.ts';
import { DeletedObject } from '../../../../graphql/reading/deleted.ts';
import { PoolOnEmpty } from '../enums.ts';
import { removePlanPool, setPlanPool } from '../set-pool.ts';
import { PlanPool } from '../types.ts';

const planId = 'ID or code of the plan.';
const asset = 'Code of a custom unit such as `credits`, or `usd` for a balance.';

const RolloverInput = builder.inputType('RolloverInput', {
  description: 'Rollover of unused amounts of a pool to later usage windows.',
  fields: (t) => ({
    windows: t.int({
      rule: { nullable: true, minimum: 1, maximum: maxRolloverWindows },
      description:
        'Number of later usage windows in which an unused amount can be used, from 1 to 12. If omitted or `null`, the amount never expires.',
    }),
    cap: t.field({
      type: 'SafeInt',
      rule: { nullable: true, minimum: 1 },
      description:
        'Maximum sum of the amounts that were rolled over, in the smallest amount of the unit or in ten-thousandths of a US dollar (10,000 = 1.00). 1 or more. The oldest amounts expire first. If omitted or `null`, there is no maximum.',
    }),
  }),
});

const PlanPoolSetInput = builder.inputType('PlanPoolSetInput', {
  description: "Parameters for setting the terms of a plan's pool.",
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    asset: t.string({ required: true, rule: { minLength: 1, maxLength: 64 }, description: asset }),
    includedPerWindow: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description:
        'Amount that all base prices of the plan include per usage window, in the smallest amount of the unit or in ten-thousandths of a US dollar (10,000 = 1.00). 0 or more. Defaults to the current amounts.',
    }),
    onEmpty: t.field({
      type: PoolOnEmpty,
      description:
        'Effect of usage that exceeds the pool. Applies immediately. A custom unit can only be overdrawn with an overdraft rate. Defaults to the current value.',
    }),
    overdraftRate: t.field({
      type: 'Decimal',
      rule: { nullable: true },
      description:
        'Price of one unit below zero in US dollars, with up to 12 decimals. Only for custom units. `null` removes the price, so that usage that exceeds the pool is rejected. Defaults to the current price.',
    }),
    rollover: t.field({
      type: RolloverInput,
      rule: { nullable: true },
      description:
        'Rollover of unused amounts to later usage windows. Applies from the next reset. If omitted or `null`, unused amounts expire at the end of the usage window.',
    }),
  }),
});

builder.mutationField('planPoolSet', (t) =>
  t.field({
    type: PlanPool,
    description:
      "Sets the terms of a pool, or adds a pool to a plan that has fewer than 5 pools. Amounts that were already rolled over don't change, except that a lower maximum applies from the next reset.",
    rest: {
      method: 'PUT',
      path: '/plans/{id}/pools/{asset}',
      names: { planId: 'id' },
      view: 'PlanPool',
    },
    errors: ['plan_not_found'],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPoolSetInput, required: true }) },
    resolve: (_root, { input }, ctx) => setPlanPool(ctx, input),
  }),
);

const PlanPoolRemoveInput = builder.inputType('PlanPoolRemoveInput', {
  description: 'Parameters for removing a pool from a plan.',
  fields: (t) => ({
    planId: t.id({ required: true, description: planId }),
    asset: t.string({ required: true, rule: { minLength: 1, maxLength: 64 }, description: asset }),
  }),
});

builder.mutationField('planPoolRemove', (t) =>
  t.field({
    type: DeletedObject,
    description:
      "Removes a pool from a plan. Subscriptions keep the pool's lots, but usage no longer draws on them. The pool of the plan's consumption model can't be removed.",
    rest: {
      method: 'DELETE',
      path: '/plans/{id}/pools/{asset}',
      names: { planId: 'id' },
      view: 'DeletedObject',
    },
    errors: [
      'plan_not_found',
      ['not_found', "the plan doesn't have the pool"],
      ['price_in_use', 'usage of a feature is deducted from the pool'],
    ],
    access: { scope: 'write' },
    args: { input: t.arg({ type: PlanPoolRemoveInput, required: true }) },
    resolve: (_root, { input }, ctx) => removePlanPool(ctx, input),
  }),
);
