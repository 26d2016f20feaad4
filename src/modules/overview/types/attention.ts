import { builder } from '../../../graphql/builder.ts';
import { findNode, Node } from '../../../graphql/node.ts';
import { BoundedCountType } from '../../../graphql/pagination.ts';
import { CurrencyAmount } from '../../transactions/types/totals.ts';
import type { AttentionItem } from '../compute-attention.ts';
import { type AttentionKind, mostSamples } from '../store.ts';

const AttentionKindType = builder.enumType('AttentionKind', {
  description: 'What needs attention.',
  values: {
    past_due_subscription: { description: 'A subscription whose payment was declined.' },
    overdue_invoice: { description: 'An outstanding invoice after its due date.' },
    open_dispute: { description: 'A disputed payment without an outcome.' },
    failed_payout: { description: 'A payout that failed in the last 30 days.' },
    verification_wanted: {
      description: 'The organization has to be verified before it can be paid. Live only.',
    },
    failing_webhook: { description: 'An endpoint whose last messages failed for good.' },
    failed_delivery: { description: 'A message to an endpoint that failed for good in the last 7 days.' },
    failed_email: { description: 'An email that could not be sent in the last 7 days.' },
    failed_clock_run: { description: 'The latest run of the test clock failed.' },
    trial_ending: { description: 'A trial that ends within three days.' },
    abandoned_checkout: { description: 'A checkout that has been open for more than a day.' },
    expiring_key: { description: 'An API key that expires within 14 days.' },
  } satisfies Record<AttentionKind, { description: string }>,
});

export const AttentionItemType = builder.objectRef<AttentionItem>('AttentionItem').implement({
  description: 'Objects of one kind that need attention.',
  fields: (t) => ({
    kind: t.expose('kind', { type: AttentionKindType, description: 'What needs attention.' }),
    count: t.expose('count', { type: BoundedCountType, description: 'How many, counted up to 1000.' }),
    amounts: t.field({
      type: [CurrencyAmount],
      description: 'What those that were counted come to, by currency; empty for kinds without money.',
      resolve: ({ amounts }) => [...amounts],
    }),
    oldestAt: t.expose('oldestAt', {
      type: 'DateTime',
      description:
        'The earliest of their times: since when it is so, or when it will be for trials and keys that end.',
    }),
    sample: t.field({
      type: [Node],
      description:
        'The first of them by their times: subscriptions, invoices, transactions, payouts, webhooks, deliveries, emails, clock runs, API keys. Those that the caller may not see are left out.',
      args: {
        first: t.arg({
          type: 'Int',
          rule: { minimum: 1, maximum: mostSamples },
          description: `How many, 1 to ${mostSamples}. Defaults to 3.`,
        }),
      },
      complexity: ({ first }) => ({ field: 1, multiplier: first ?? 3 }),
      resolve: async ({ ids }, { first }, ctx, info) => {
        const shown = ids.slice(0, first ?? 3);
        const nodes = await Promise.all(shown.map((id) => findNode(ctx, id, info)));
        return nodes.filter((node) => node !== null);
      },
    }),
  }),
});
