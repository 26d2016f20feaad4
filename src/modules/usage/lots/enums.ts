import { builder } from '../../../graphql/reading/builder.ts';

export const LotSource = builder.enumType('LotSource', {
  description: 'Origin of a lot.',
  values: {
    plan: { description: 'Included in the plan for the current usage window.' },
    rollover: { description: 'Unused amount of an earlier usage window.' },
    promotion: { description: 'Granted by the organization.' },
    purchase: { description: 'Purchased credit pack.' },
    topup: { description: 'Top-up of a balance.' },
    commitment: { description: 'Prepaid commitment.' },
    adjustment: { description: 'Manual adjustment.' },
    customer_credit: {
      description: "Customer credit. The customer's invoices draw on the lot, and usage doesn't.",
    },
    overdraft: {
      description: 'Usage that no other lot covered. Billed at the end of the usage window.',
    },
  } as const,
});

export const LotUse = builder.enumType('LotUse', {
  description: 'Objects that draw on a lot.',
  values: {
    usage: { description: 'Usage of the subscription.' },
    invoices: { description: 'Invoices of the customer.' },
  } as const,
});
