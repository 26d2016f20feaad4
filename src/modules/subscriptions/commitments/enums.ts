import { builder } from '../../../graphql/reading/builder.ts';

export const CommitmentUse = builder.enumType('CommitmentUse', {
  description: 'Charges that a prepaid commitment pays for.',
  values: {
    usage: { description: "Usage that is deducted from the plan's pool of the asset." },
    usage_lines: {
      description: 'Usage line items of invoices. Only for metered plans.',
    },
  } as const,
});

export const CommitmentEnd = builder.enumType('CommitmentEnd', {
  description: 'Effect of the end of a term on the remaining amount of a prepaid commitment.',
  values: {
    expire: { description: 'The remaining amount expires.' },
    roll_once: { description: 'The remaining amount can be used for one more term.' },
  } as const,
});

export const CommitmentStatus = builder.enumType('CommitmentStatus', {
  description: 'Status of a prepaid commitment.',
  values: {
    active: { description: 'The term of the commitment is running.' },
    ended: { description: 'The commitment ended.' },
  } as const,
});
