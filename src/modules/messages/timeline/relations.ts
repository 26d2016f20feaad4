import { builder } from '../../../graphql/reading/builder.ts';
import { forwardPageArgs } from '../../../graphql/reading/pagination.ts';
import { EventKind } from '../../organization/event-types/enums.ts';
import { TimelineKind } from './enums.ts';
import { loadTimelinePage } from './list.ts';
import { TimelineConnection } from './types.ts';

builder.prismaObjectField('Customer', 'timeline', (t) =>
  t.computed({
    type: TimelineConnection,
    description:
      'Timeline of the customer, newest first: events except `usage.recorded`, emails to the customer, and notes about the customer.',
    args: {
      ...forwardPageArgs(),
      ...builder.args((a) => ({
        kinds: a.field({
          type: [TimelineKind],
          rule: { minItems: 1 },
          description: 'Types of entries to include. Defaults to all types.',
        }),
        types: a.field({
          type: [EventKind],
          rule: { minItems: 1 },
          description:
            "Event types to include. Emails and notes aren't filtered. Defaults to all event types.",
        }),
      })),
    },
    columns: ['id'],
    resolve: ({ id }, args, ctx) => loadTimelinePage(ctx, id, args),
  }),
);
