import { defineCommand } from './command.ts';
import { CommandAutoTopUpRemoveDocument } from './commands.graphql';

export const autoTopUpRemove = defineCommand({
  name: 'autoTopUpRemove',
  group: 'allowances',
  isDangerous: true,
  // The section of a top-up opens the dialog with the asset of its account.
  applies: ({ target }) => target !== undefined,
  initial: ({ target }) => ({ asset: target ?? null }),
  input: ({ asset }, { customer }) => (asset === null ? null : { customerId: customer.id, asset }),
  document: CommandAutoTopUpRemoveDocument,
});
