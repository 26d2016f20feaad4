import { builder } from '../../../graphql/reading/builder.ts';
import { OfferApplicationStatus } from './enums.ts';
import { loadApplicationCount } from './load-count.ts';

builder.prismaObjectField('Offer', 'applicationCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'Number of times the offer was quoted or applied to a subscription.',
    args: {
      statuses: t.arg({
        type: [OfferApplicationStatus],
        rule: { minItems: 1 },
        description: 'Statuses of the offer applications to count. Defaults to all statuses.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadApplicationCount(ctx, id, statuses ?? null),
  }),
);
