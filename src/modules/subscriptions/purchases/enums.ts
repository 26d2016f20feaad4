import { builder } from '../../../graphql/reading/builder.ts';

export const PrepaidModel = builder.enumType('PrepaidModel', {
  description: 'Type of balance that usage is deducted from.',
  values: {
    credits: { description: 'Credit balance, in whole credits.' },
    balance: { description: 'Prepaid balance, in ten-thousandths of the currency unit (10,000 = 1.00).' },
  },
});
