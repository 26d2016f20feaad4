import { followAnswer } from '../../../graphql/live/follow-answer.ts';
import { stoppable } from '../../../graphql/live/live.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { computeAttention } from './compute-attention.ts';
import { AttentionItemType } from './types/attention.ts';

builder.subscriptionField('attentionChanged', (t) =>
  t.field({
    type: [AttentionItemType],
    description:
      'Emits the objects that need attention, immediately and on every change. Changes are detected after events (at most once per second) and every 30 seconds.',
    access: { scope: 'read' },
    subscribe: (_root, _args, ctx) =>
      stoppable((stop) => followAnswer(ctx, stop, () => computeAttention(ctx))),
    resolve: (items) => [...items],
  }),
);
