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

export const UsageLevelKind = builder.enumType('UsageLevelKind', {
  description: 'Effect of a usage event on a level.',
  values: {
    add: { description: 'The quantity is added to the level.' },
    remove: { description: 'The quantity is removed from the level.' },
    set: { description: 'The level is set to the quantity.' },
  } as const,
});
