import { builder } from '../../../graphql/builder.ts';
import { ConsumptionModel } from '../enums.ts';

export const PlanFilter = builder.inputType('PlanFilter', {
  description: 'Which plans to list: those that pass every member that is sent.',
  fields: (t) => ({
    isPublic: t.boolean({
      description:
        'Whether they are shown to customers. In place of `includePrivate`, which then has no effect.',
    }),
    consumptionModels: t.field({
      type: [ConsumptionModel],
      rule: { minItems: 1, maxItems: 3 },
      description: 'How their usage is paid for. 1 to 3 values.',
    }),
    planGroupIds: t.field({
      type: ['ID'],
      rule: { minItems: 1, maxItems: 100 },
      description: 'Ids of the groups they are in. 1 to 100 values.',
    }),
    isOnSale: t.boolean({
      description: 'Whether they can be subscribed to: they are free, or have a price that is not archived.',
    }),
    marketIds: t.field({
      type: ['ID'],
      rule: { minItems: 1, maxItems: 100 },
      description:
        'Ids of markets in which one of their prices that are not archived has an amount of its own. 1 to 100 values.',
    }),
  }),
});
