import { builder } from '../../../graphql/reading/builder.ts';

export const UsageOutcome = builder.enumType('UsageOutcome', {
  description: "Effect of a usage event on the subscription's credits or balance.",
  values: {
    metered: {
      description: "The event didn't deduct anything. The plan is metered and bills overage after use.",
    },
    deducted: {
      description: 'The event was deducted, and the credits or balance cover at least one more unit.',
    },
    exhausted: {
      description: "The event was deducted, and the credits or balance don't cover another unit.",
    },
  } as const,
});
