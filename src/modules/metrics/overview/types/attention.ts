import { builder } from '../../../../graphql/reading/builder.ts';
import { findNode, Node } from '../../../../graphql/reading/node.ts';
import { BoundedCountType } from '../../../../graphql/reading/pagination.ts';
import { CurrencyAmount } from '../../../payments/transactions/types/totals.ts';
import type { AttentionItem } from '../compute-attention.ts';
import { type AttentionKind, maxSamples } from '../store.ts';

const AttentionKindType = builder.enumType('AttentionKind', {
  description: 'Type of object that needs attention.',
  values: {
    stuck_deadline: {
      description:
        'A renewal or another scheduled action of a subscription failed and is being retried. The event `deadline_failed` contains the reason.',
    },
    past_due_subscription: { description: 'A past-due subscription.' },
    overdue_invoice: { description: 'An outstanding invoice that is past its due date.' },
    open_dispute: { description: 'An open dispute.' },
    approval_waiting: {
      description: 'A call of an API key, or usage, that waits for the approval of a member.',
    },
    limit_reached: {
      description:
        'A customer who reached a limit that rejects usage, in a window that is still open. For limits of the organization and of plans, the limit.',
    },
    limit_unpriced: {
      description:
        "A limit with amounts per currency that doesn't apply to a customer, because no exchange rate is known for the customer's currency.",
    },
    auto_topup_paused: { description: 'A customer whose automatic top-up is paused.' },
    failed_payout: { description: 'A payout that failed in the last 30 days.' },
    verification_wanted: {
      description:
        'The organization must be verified before it can receive payouts. Only in the live environment.',
    },
    failing_webhook: { description: 'A webhook endpoint whose latest deliveries failed permanently.' },
    failed_delivery: { description: 'A webhook delivery that failed permanently in the last 7 days.' },
    failed_email: { description: "An email that couldn't be sent in the last 7 days." },
    failed_clock_run: { description: 'The latest test clock run, if it failed.' },
    expiring_card: {
      description:
        'A subscription whose card expires before the next charge. Included from 30 days before the charge.',
    },
    trial_ending: { description: 'A free trial that ends within 3 days.' },
    abandoned_checkout: { description: 'A checkout that has been open for more than 1 day.' },
    expiring_key: { description: 'An API key that expires within 14 days.' },
  } satisfies Record<AttentionKind, { description: string }>,
});

export const AttentionItemType = builder.objectRef<AttentionItem>('AttentionItem').implement({
  description: 'Objects of one type that need attention.',
  fields: (t) => ({
    kind: t.member('kind', AttentionKindType).describe('Type of the objects that need attention.'),
    count: t.member('count', BoundedCountType).describe('Number of objects, capped at 1,000.'),
    amounts: t
      .member('amounts', [CurrencyAmount])
      .describe('Total amounts of the counted objects, by currency. Empty if the objects have no amounts.'),
    oldestAt: t
      .member('oldestAt', 'DateTime')
      .describe(
        'Earliest time at which one of the problems started. For trials and API keys, the earliest time at which a trial ends or a key expires.',
      ),
    sample: t.field({
      type: [Node],
      description:
        "Sample of the objects, earliest first within each currency: subscriptions, invoices, transactions, payouts, webhooks, deliveries, emails, clock runs, API keys, approvals, customers, or limits. Objects that the caller can't read are omitted.",
      args: {
        first: t.arg({
          type: 'Int',
          rule: { minimum: 1, maximum: maxSamples },
          description: `Number of objects to return, from 1 to ${maxSamples}. Defaults to 3.`,
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
