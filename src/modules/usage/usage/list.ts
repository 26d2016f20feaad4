import { type FilterMember, Members } from '../../../graphql/reading/list-members.ts';
import { listOf } from '../../../graphql/reading/lists.ts';
import { customerSearch } from '../../customers/customers/search-store.ts';
import { UsageOutcome } from './enums.ts';
import { UsagePropertyFilter } from './types/filter.ts';

/** SQL for the outcome of a usage event. Must match `outcomeOf`. */
const outcomeText = `CASE WHEN t."consumptionModel" = 'metered' THEN 'metered' WHEN t."isBlocked" THEN 'exhausted' ELSE 'deducted' END`;

/** Filters that lists and streams of usage events share. */
export const usageDetails: Readonly<Record<string, FilterMember>> = {
  featureIds: new Members('UsageEvent').oneOf('featureId', 'ID', 'IDs of the features to include.'),
  models: new Members('UsageEvent').oneOf('model', 'String', 'IDs of the AI models to include.'),
  property: {
    type: UsagePropertyFilter,
    description: 'Property that the events must have, such as a request ID.',
    condition: (value) => (bind) => {
      const { name, value: wanted } = value as typeof UsagePropertyFilter.$inferInput;
      return `t.properties @> ${bind(JSON.stringify([{ property: name, value: wanted }]))}::jsonb`;
    },
  },
  outcomes: {
    type: [UsageOutcome],
    rule: { minItems: 1, maxItems: 3 },
    description: 'Outcomes of the events to include. From 1 to 3 values.',
    condition: (values) => (bind) => `${outcomeText} = ANY(${bind(values)}::text[])`,
  },
};

export const usageEventList = listOf('UsageEvent', {
  name: 'UsageEvent',
  of: 'usage events',
  filter: (f) => ({
    ids: f.ids(),
    customerIds: f.oneOf('customerId', 'ID', 'IDs of the customers to include.', {
      index: { name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx' },
    }),
    subscriptionIds: f.oneOf('subscriptionId', 'ID', 'IDs of the subscriptions to include.', {
      // Events are found through the index of their customer, because usage is written too often for an
      // additional index.
      index: {
        name: 'UsageEvent_environmentId_customerId_createdAt_seq_idx',
        owner: { model: 'Subscription', column: 'customerId' },
      },
    }),
    ...usageDetails,
    ts: f.instants('ts', 'Time of the event, as sent in the request.'),
    createdAt: f.instants('createdAt', 'Time at which the event was recorded.'),
  }),
  search: {
    idPrefix: 'evt',
    description:
      'Searches event IDs that you assigned (exact match), and the name, email address, and external ID of the customer.',
    ...customerSearch((text) => (bind) => `t."eventId" = ${bind(text)}`),
  },
  sort: {
    created_at: {
      column: 'createdAt',
      index: 'UsageEvent_environmentId_createdAt_seq_idx',
      description: 'Time at which the event was recorded.',
    },
  },
});
