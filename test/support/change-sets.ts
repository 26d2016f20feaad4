import type { ChangeSet } from '../../src/domain/subscription/state/aggregate.ts';
import {
  type AppendedTable,
  appendedTables,
  type ChangingTable,
  changingTables,
  perTable,
} from '../../src/domain/subscription/state/tables.ts';

/** Change set that writes nothing. */
export const noChanges: ChangeSet = {
  ...perTable<ChangingTable, 'changes'>(changingTables, () => new Map()),
  ...perTable<AppendedTable, 'rows'>(appendedTables, () => []),
  clearedInvoices: [],
  carried: [],
  pricedCorrections: [],
  parties: new Map(),
  events: [],
  deadlines: { put: [], remove: [], ready: [] },
  charges: [],
  activated: 0,
  item: null,
};
