import { builder } from '../../../../graphql/reading/builder.ts';

export const UsagePropertyFilter = builder.inputType('UsagePropertyFilter', {
  description: 'Filter for usage events with a specific property.',
  fields: (t) => ({
    name: t.string({
      required: true,
      rule: { minLength: 1, maxLength: 500 },
      description: 'Name of the property. From 1 to 500 characters.',
    }),
    value: t.string({
      required: true,
      rule: { maxLength: 500 },
      description: 'Value of the property (exact match). Up to 500 characters.',
    }),
  }),
});
