import { defineCommand } from './command.ts';
import { CommandAutoTopUpResumeDocument } from './commands.graphql';

export const autoTopUpResume = defineCommand({
  name: 'autoTopUpResume',
  group: 'allowances',
  // The section of a paused top-up opens the dialog with the asset of its account.
  applies: ({ target }) => target !== undefined,
  initial: ({ target }) => ({ asset: target ?? null }),
  input: ({ asset }, { customer }) => (asset === null ? null : { customerId: customer.id, asset }),
  document: CommandAutoTopUpResumeDocument,
});
