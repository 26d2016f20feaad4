import { CommandSeatsSetDocument } from './commands.graphql';
import { countSet } from './count-set.tsx';

export const seatsSet = countSet({
  name: 'seatsSet',
  type: 'seats',
  countsOf: ({ seats }) => seats,
  document: CommandSeatsSetDocument,
});
