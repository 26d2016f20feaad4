import { followRows, stoppable, textIn } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { lastEventPosition } from '../../../outbox/read.ts';
import { Approval } from './types.ts';

const kinds = ['approval.requested', 'approval.decided'] as const;

builder.subscriptionField('approvalChanged', (t) =>
  t.field({
    type: Approval,
    description: 'Emits the current state of every approval that is requested or decided.',
    access: { member: 'any' },
    subscribe: async (_root, _args, ctx) => {
      const after = await lastEventPosition(ctx.sql);
      return stoppable((stop) =>
        followRows(
          ctx,
          'Approval',
          { kinds, customerId: null },
          (events) => events.flatMap((event) => textIn(event, 'approvalId') ?? []),
          { after, stop },
        ),
      );
    },
    resolve: (approval) => approval,
  }),
);
