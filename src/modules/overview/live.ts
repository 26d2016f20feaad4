import { builder } from '../../graphql/builder.ts';
import { followAnswer } from '../../graphql/follow-answer.ts';
import { stoppable } from '../../graphql/live.ts';
import { computeAttention } from './compute-attention.ts';
import { AttentionItemType } from './types/attention.ts';

builder.subscriptionField('attentionChanged', (t) =>
  t.field({
    type: [AttentionItemType],
    description:
      'What needs attention, as it is when the subscription begins and whenever it is something else. It is looked at after events, at most once a second, and every 30 seconds.',
    access: { scope: 'read' },
    subscribe: (_root, _args, ctx) =>
      stoppable((stop) => followAnswer(ctx, stop, () => computeAttention(ctx))),
    resolve: (items) => [...items],
  }),
);
