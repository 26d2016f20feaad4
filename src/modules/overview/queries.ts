import { builder } from '../../graphql/builder.ts';
import { computeAttention } from './compute-attention.ts';
import { findHits } from './find-hits.ts';
import { searchKinds } from './store.ts';
import { AttentionItemType } from './types/attention.ts';
import { SearchHitType, SearchKindType } from './types/search.ts';

builder.queryField('attention', (t) =>
  t.field({
    type: [AttentionItemType],
    description:
      'What needs attention now, the most urgent kind first; kinds without anything are left out. At most 1000 rows of each kind are read.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => computeAttention(ctx),
  }),
);

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHitType],
    description:
      'What a text finds: the object it is the id of, else objects by number, email address, name or code. Whole values come first, then beginnings, then parts; upper and lower case are the same.',
    access: { scope: 'read' },
    args: {
      text: t.arg.string({
        required: true,
        rule: { minLength: 3, maxLength: 100 },
        description: 'What to look for, 3 to 100 characters.',
      }),
      kinds: t.arg({ type: [SearchKindType], description: 'Only objects of these kinds. Defaults to all.' }),
      limit: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 25 },
        description: 'How many objects to return, 1 to 25. Defaults to 8.',
      }),
    },
    complexity: ({ limit }) => ({ field: 1, multiplier: limit ?? 8 }),
    resolve: (_root, { text, kinds, limit }, ctx) =>
      findHits(ctx, { text, kinds: kinds ?? searchKinds, limit: limit ?? 8 }),
  }),
);
