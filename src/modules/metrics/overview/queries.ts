import { workCosts } from '../../../graphql/declare/cost-weights.ts';
import { builder } from '../../../graphql/reading/builder.ts';
import { searchRule } from '../../../graphql/reading/lists.ts';
import { computeAttention } from './compute-attention.ts';
import { findHits } from './find-hits.ts';
import { searchKinds } from './store.ts';
import { AttentionItemType } from './types/attention.ts';
import { SearchHitType, SearchKindType } from './types/search.ts';

builder.queryField('attention', (t) =>
  t.field({
    type: [AttentionItemType],
    description:
      'Returns the objects that currently need attention, most urgent type first. Types without objects are omitted. Reads up to 1,000 objects of each type.',
    access: { scope: 'read' },
    resolve: (_root, _args, ctx) => computeAttention(ctx),
  }),
);

builder.queryField('search', (t) =>
  t.field({
    type: [SearchHitType],
    description:
      'Searches for objects by ID, number, email address, name, or code. Exact matches come first, then matches at the start of a value, then partial matches.',
    access: { scope: 'read' },
    args: {
      text: t.arg.string({
        required: true,
        rule: searchRule,
        description: 'Text to search for, from 2 to 100 characters. The search ignores case and accents.',
      }),
      kinds: t.arg({
        type: [SearchKindType],
        description: 'Types of objects to include. Defaults to all types.',
      }),
      limit: t.arg({
        type: 'Int',
        rule: { minimum: 1, maximum: 25 },
        description: 'Maximum number of results, from 1 to 25. Defaults to 8.',
      }),
    },
    complexity: ({ limit }) => ({ field: workCosts.search, multiplier: limit ?? 8 }),
    resolve: (_root, { text, kinds, limit }, ctx) =>
      findHits(ctx, { text, kinds: kinds ?? searchKinds, limit: limit ?? 8 }),
  }),
);
