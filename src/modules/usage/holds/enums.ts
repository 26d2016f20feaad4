import { builder } from '../../../graphql/reading/builder.ts';

export const UsageHoldStatus = builder.enumType('UsageHoldStatus', {
  description: 'Status of a hold.',
  values: {
    open: { description: 'The hold reserves its estimate.' },
    settled: { description: 'The usage was recorded.' },
    released: { description: 'The hold was released without usage.' },
    expired: {
      description: 'The hold expired. It can still be settled for 72 hours.',
    },
  } as const,
});

export const HoldExcess = builder.enumType('HoldExcess', {
  description: "Effect of the part of a settlement that the hold didn't reserve.",
  values: {
    fit: { description: 'Charges as much as all limits and the pool accept. The rest is uncounted.' },
    accept: { description: 'Charges everything, even if the usage exceeds limits or the pool.' },
    drop: { description: 'Charges at most the reserved amount. The rest is uncounted.' },
  } as const,
});
