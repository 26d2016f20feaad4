import { builder } from '../../graphql/builder.ts';
import { forwardPageArgs } from '../../graphql/pagination.ts';
import { EventKind } from '../events/enums.ts';
import { TimelineKind } from './enums.ts';
import { loadTimelinePage } from './list.ts';
import { TimelineConnection } from './types.ts';

builder.prismaObjectField('Customer', 'timeline', (t) =>
  t.computed({
    type: TimelineConnection,
    description:
      'What happened around the customer: events without `usage.recorded`, emails to it and notes about it, the newest first by business time.',
    args: {
      ...forwardPageArgs(),
      ...builder.args((a) => ({
        kinds: a.field({
          type: [TimelineKind],
          rule: { minItems: 1 },
          description: 'Only entries of these kinds. Defaults to all.',
        }),
        types: a.field({
          type: [EventKind],
          rule: { minItems: 1 },
          description: 'Of the events only those of these kinds. Defaults to all.',
        }),
      })),
    },
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadTimelinePage(ctx, id, args),
  }),
);
