import type { NamedOrder } from '../../../graphql/reading/cursors.ts';
import type { OrderedList } from '../../../graphql/reading/pages.ts';

const newestFirst: NamedOrder = {
  name: 'seq',
  keys: [{ column: 'seq' }],
  direction: 'desc',
  prefix: 'autoTopUpAttempt.',
};

/** Attempts of automatic top-ups, newest first. */
export const attemptList: OrderedList<'AutoTopUpAttempt'> = {
  model: 'AutoTopUpAttempt',
  filter: {},
  conditions: [],
  order: newestFirst,
};
