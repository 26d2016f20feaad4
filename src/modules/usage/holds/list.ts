import type { HoldStatus } from '../../../domain/holds/hold.ts';
import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'createdAt' }, { column: 'seq' }],
  direction: 'desc',
  prefix: 'hold.',
};

const ofCustomer: NamedOrder = {
  name: 'customer',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'customer_hold.',
};

/** Returns the list of holds that match a filter, newest first. */
export const holdsMatching = ({
  customerId,
  status,
}: {
  readonly customerId: string | undefined;
  readonly status: HoldStatus | undefined;
}): OrderedList<'UsageHold'> => ({
  model: 'UsageHold',
  filter: { customerId, status },
  conditions: [],
  order: customerId === undefined ? newestFirst : ofCustomer,
});
