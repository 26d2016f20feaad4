import { builder } from '../../graphql/builder.ts';

export const UsageOutcome = builder.enumType('UsageOutcome', {
  description: 'What a usage event did to the pool of its subscription.',
  values: {
    metered: { description: 'Nothing: the plan counts what is used, and bills what is not included.' },
    deducted: { description: 'It took its share, and the pool covers more.' },
    exhausted: { description: 'It took its share, and the pool covers no further unit.' },
  } as const,
});
