import { type FilterMember, Members } from '../../graphql/list-members.ts';
import { listOf } from '../../graphql/lists.ts';
import { belongsToCustomerWithOr } from '../customers/store.ts';
import { UsageOutcome } from './enums.ts';
import { UsagePropertyFilter } from './types/filter.ts';

/** The outcome of an event in SQL; `outcomeOf` tells the same of a row. */
const outcomeText = `CASE WHEN t."consumptionModel" = 'metered' THEN 'metered' WHEN t."isBlocked" THEN 'exhausted' ELSE 'deducted' END`;

/** What usage events are filtered by in lists and streams alike. */
export const usageDetails: Readonly<Record<string, FilterMember>> = {
  featureIds: new Members('UsageEvent').oneOf('featureId', 'ID', 'Ids of the features.'),
  models: new Members('UsageEvent').oneOf('model', 'String', 'Slugs of the AI models.'),
  property: {
    type: UsagePropertyFilter,
    description: 'A property they have, such as the id of a request.',
    condition: (value) => (bind) => {
      const { name, value: wanted } = value as typeof UsagePropertyFilter.$inferInput;
      return `t.properties @> ${bind(JSON.stringify([{ property: name, value: wanted }]))}::jsonb`;
    },
  },
  outcomes: {
    type: [UsageOutcome],
    rule: { minItems: 1, maxItems: 3 },
    description: 'What they did to the pool of their subscription. 1 to 3 values.',
    condition: (values) => (bind) => `${outcomeText} = ANY(${bind(values)}::text[])`,
  },
};

export const usageEventList = listOf('UsageEvent', {
  name: 'UsageEvent',
  of: 'usage events',
  filter: (f) => ({
    ids: f.ids(),
    customerIds: f.oneOf('customerId', 'ID', 'Our ids of the customers.', {
      index: { name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'Ids of the subscriptions they counted for.', {
      // Found among those of the customer: usage is written too often for an index per question.
      index: {
        name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    ...usageDetails,
    ts: f.instants('ts', 'When they happened, by the word of the caller.'),
    createdAt: f.instants('createdAt', 'When they were recorded.'),
  }),
  search: {
    idPrefix: 'evt',
    description:
      'Only the one with exactly this id of the caller, and those of customers with this in name, email address or external id.',
    condition: (text) => belongsToCustomerWithOr(text, (bind) => `t."eventId" = ${bind(text)}`),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'UsageEvent_environmentId_createdAt_seq_idx',
      description: 'When they were recorded.',
    },
  },
});
