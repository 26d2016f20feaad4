import { maxRolloverWindows } from '../../../domain/pricing/rollover.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { PoolOnEmpty } from './enums.ts';
import { setPlanPool } from './set-pool.ts';
import { PlanPool } from './types.ts';

const RolloverInput = builder.inputType('RolloverInput', {
  description: 'Rollover of unused credits or balance to later usage windows.',
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
        'Maximum sum of the amounts that were rolled over, in credits or in ten-thousandths of a US dollar (10,000 = 1.00). 1 or more. The oldest amounts expire first. If omitted or `null`, there is no maximum.',
    }),
  }),
});

const PlanPoolSetInput = builder.inputType('PlanPoolSetInput', {
  description: "Parameters for setting the terms of a plan's credits or balance.",
  fields: (t) => ({
    planId: t.id({ required: true, description: 'ID or code of the plan.' }),
    asset: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 10 },
      description: '`credits` for a credits plan, or `usd` for a balance plan.',
    }),
    includedPerWindow: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description:
        'Amount that all base prices of the plan include per usage window, in credits or in ten-thousandths of a US dollar (10,000 = 1.00). 0 or more. Defaults to the current amounts.',
    }),
    onEmpty: t.field({
      type: PoolOnEmpty,
      description:
        'Effect of usage that exceeds the credits or balance. Applies immediately. Defaults to the current value.',
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
      "Sets the terms of the credits or the balance that a plan includes. Amounts that were already rolled over don't change, except that a lower maximum applies from the next reset.",
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
