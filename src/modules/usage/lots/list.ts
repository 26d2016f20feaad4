import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';
import { type Condition, isAmong } from '../../../platform/db/row-lists.ts';
import type { LotRow } from './store.ts';

type LotChoice = {
  readonly customerId: string;
  readonly subscriptionId?: string | null | undefined;
  readonly sources?: readonly LotRow['source'][] | null | undefined;
  readonly isOpen?: boolean | null | undefined;
};

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'lot.',
};

/** Returns the list of a customer's lots that match a filter, newest first. */
export function lotsMatching({ customerId, subscriptionId, sources, isOpen }: LotChoice): OrderedList<'Lot'> {
  const conditions: Condition[] = [];
  if (sources) conditions.push(isAmong('Lot', { column: 'source', values: sources }));
  return {
    model: 'Lot',
    filter: { customerId, subscriptionId: subscriptionId ?? undefined, isOpen: isOpen ?? undefined },
    conditions,
    order: newestFirst,
  };
}
