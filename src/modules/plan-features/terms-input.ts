import { builder } from '../../graphql/builder.ts';

export const PlanFeatureOverageInput = builder.inputType('PlanFeatureOverageInput', {
  description: 'What units beyond the included ones cost; what is left out stays as it is.',
  fields: (t) => ({
    enabled: t.boolean({
      description: 'Whether more than the included amount can be used. A free plan cannot.',
    }),
    unitPrice: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      amount: 'RATE',
      description:
        'Per unit, from 0 on; 10 000 is 1.00 USD. On balance plans, what a unit takes from the balance.',
    }),
  }),
});

/** Changes of terms: to be made, or to be asked about. */
export const PlanFeatureUpdateInput = builder.inputType('PlanFeatureUpdateInput', {
  description: 'Changes to the terms of a feature in a plan; what is left out stays as it is.',
  fields: (t) => ({
    planId: t.id({ required: true, description: 'Id of the plan, else its code.' }),
    featureId: t.id({ required: true, description: 'Id of the feature.' }),
    enabled: t.boolean({ description: 'Whether the feature can be used.' }),
    includedAmount: t.field({
      type: 'SafeInt',
      rule: { minimum: 0 },
      description: 'Units without extra charge.',
    }),
    unlimited: t.boolean({ description: 'True makes included amount and overage irrelevant.' }),
    overage: t.field({ type: PlanFeatureOverageInput, description: 'What further units cost.' }),
    creditsPerUnit: t.field({
      type: 'SafeInt',
      rule: { exclusiveMinimum: 0, nullable: true },
      description:
        'Credits one unit takes, greater than 0; usage features of credits plans cannot be without.',
    }),
  }),
});
