import { builder } from '../../../../graphql/reading/builder.ts';

export const FeatureSettlement = builder
  .objectRef<{ readonly pool: string | null }>('FeatureSettlement')
  .implement({
    description: "Settlement of a feature's usage.",
    fields: (t) => ({
      pool: t
        .maybe('pool', 'String')
        .describe(
          'Asset of the pool from which usage is deducted: the code of a custom unit, or `usd`. `null` if the units are invoiced.',
        ),
    }),
  });

export const FeatureSettlementInput = builder.inputType('FeatureSettlementInput', {
  description: "Parameters for the settlement of a feature's usage.",
  fields: (t) => ({
    pool: t.string({
      rule: { nullable: true, minLength: 1, maxLength: 64 },
      description:
        'Asset of the pool from which usage is deducted: the code of a custom unit, or `usd`. The plan must have the pool. If omitted or `null`, the units are invoiced.',
    }),
  }),
});
