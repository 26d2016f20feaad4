import { builder } from '../../graphql/builder.ts';
import { OfferApplicationStatus } from './enums.ts';
import { loadApplicationCount } from './load-count.ts';

builder.prismaObjectField('Offer', 'applicationCount', (t) =>
  t.computed({
    type: 'Int',
    description: 'How often the offer was quoted or applied to a subscription.',
    args: {
      statuses: t.arg({
        type: [OfferApplicationStatus],
        rule: { minItems: 1 },
        description: 'Only applications with one of these statuses. Defaults to all.',
      }),
    },
    columns: ['id'],
    resolve: ({ id }, { statuses }, ctx) => loadApplicationCount(ctx, id, statuses ?? null),
  }),
);
