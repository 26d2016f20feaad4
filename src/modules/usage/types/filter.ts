import { builder } from '../../../graphql/builder.ts';

export const UsagePropertyFilter = builder.inputType('UsagePropertyFilter', {
  description: 'A property of usage events and its value.',
  fields: (t) => ({
    name: t.string({ required: true, rule: { minLength: 1, maxLength: 500 }, description: 'Its name.' }),
    value: t.string({ required: true, rule: { maxLength: 500 }, description: 'Its exact value.' }),
  }),
});
