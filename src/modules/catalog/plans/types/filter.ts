import { builder } from '../../../../graphql/reading/builder.ts';
import { ConsumptionModel } from '../enums.ts';

export const PlanFilter = builder.inputType('PlanFilter', {
  description: 'Filter for plans. A result must match every field that is set.',
  fields: (t) => ({
    isPublic: t.boolean({
      description: 'Whether the plan is public. Takes precedence over `includePrivate`.',
    }),
    consumptionModels: t.field({
      type: [ConsumptionModel],
      rule: { minItems: 1, maxItems: 3 },
      description: 'Consumption models to include. From 1 to 3 values.',
    }),
    planGroupIds: t.field({
      type: ['ID'],
      rule: { minItems: 1, maxItems: 100 },
      description: 'IDs of the plan groups to include. From 1 to 100 values.',
    }),
    isOnSale: t.boolean({
      description:
        "Whether customers can subscribe to the plan. `true` if the plan is free or has at least one price that isn't archived.",
    }),
    marketIds: t.field({
      type: ['ID'],
      rule: { minItems: 1, maxItems: 100 },
      description:
        'IDs of markets to filter by. A plan matches if at least one of its prices sets an amount for one of these markets. Archived prices are ignored. From 1 to 100 values.',
    }),
  }),
});
