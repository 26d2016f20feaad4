import { id, int, listOf, object, oneOf, orNull, type Payload, text, time } from './fields.ts';
import { aboutConsumer, customerId, subscriptionId } from './shared.ts';

const decimal = 'A decimal: money in major units of the currency, other amounts in the unit of the measure.';

const limit: Payload = {
  limitId: id('lim', 'ID of the limit.'),
  name: orNull(text('Name of the limit.', 'Spend cap'), 'the limit has no name'),
  node: object(
    {
      name: 'EventLimitNode',
      description: 'Organization, plan, customer, or budget of a limit in an event.',
      fields: {
        kind: text(
          "Type of the node: `organization`, `plan`, `customer`, or the part of the budget's key before the colon.",
          'team',
        ),
        key: orNull(text('Key of the budget.', 'team:eu'), "the limit doesn't apply to a budget"),
        path: listOf(text('Keys of the budgets from the top.', 'team:eu')),
      },
    },
    'Organization, plan, customer, or budget to which the limit applies.',
  ),
  measure: oneOf('LimitMeasure', 'Number that the limit bounds.', 'spend'),
  unit: text('Currency code, code of a custom unit, `units`, or `calls`.', 'usd'),
};

const manyCustomers = 'the limit applies to the organization or a plan';

/** Customer whose usage crossed a limit of the customer, a budget, a plan, or the organization. */
const anyConsumer: Payload = {
  customerId: orNull(customerId, manyCustomers),
  subscriptionId: orNull(subscriptionId, manyCustomers),
};

const crossing: Payload = {
  ...limit,
  value: text(`Value after the usage. ${decimal}`, '20.4'),
  amount: orNull(text(`Amount of the limit with its raises. ${decimal}`, '25'), 'the limit has no amount'),
  windowStart: orNull(time('Start of the window.'), 'the window slides or includes all usage'),
  windowEnd: orNull(time('End of the window.'), "the window slides or doesn't end"),
  channels: listOf(text('Channels on which the event is reported.', 'webhook')),
};

const raise: Payload = {
  subscriptionId: orNull(subscriptionId, 'the customer has no subscription, or the limit is shared'),
  customerId: orNull(customerId, manyCustomers),
  ...limit,
  raiseId: id('lrs', 'ID of the raise.'),
  raise: text(`Amount that is added to the limit. ${decimal}`, '10'),
  until: time('Time from which the raise no longer applies.'),
  reason: orNull(text('Reason for the raise.', 'Launch week'), 'no reason was given'),
};

/** Payloads of events about limits. */
export const limitPayloads = {
  'limit.threshold_reached': {
    ...anyConsumer,
    ...crossing,
    threshold: text(`Last crossed threshold. ${decimal}`, '20'),
    crossed: listOf(text('Crossed thresholds, in the order in which the value crossed them.', '20')),
  },
  'limit.reached': {
    ...anyConsumer,
    ...crossing,
    cause: text(
      '`amount` if the usage reached the amount, or `rejected` if the usage was rejected.',
      'amount',
    ),
  },
  'limit.resolved': {
    ...aboutConsumer,
    ...crossing,
    threshold: text(`Highest crossed threshold. ${decimal}`, '20'),
  },
  'usage.anomaly': {
    ...aboutConsumer,
    ...crossing,
    median: text(`Median of the last 28 days with usage. ${decimal}`, '3.2'),
    factor: int('Multiple of the median that the value exceeds.', 5),
  },
  'limit.overrun': {
    ...aboutConsumer,
    ...crossing,
    excess: text(`Amount by which the value exceeds the amount of the limit. ${decimal}`, '0.12'),
  },
  'limit.raised': raise,
  'limit.raise_ended': raise,
};
