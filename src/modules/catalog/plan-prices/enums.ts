import { builder } from '../../../graphql/reading/builder.ts';

export const PoolOnEmpty = builder.enumType('PoolOnEmpty', {
  description: 'Effect of usage that exceeds a pool.',
  values: {
    reject: { description: 'The usage is rejected.' },
    overdraw: {
      description: 'The usage is accepted. The exceeding amount is billed at the end of the usage window.',
    },
  } as const,
});
