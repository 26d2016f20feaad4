import { defineCommand, subscriptionId } from './command.ts';
import { CommandUncancelDocument } from './commands.graphql';

export const uncancel = defineCommand({
  name: 'uncancel',
  group: 'subscription',
  applies: ({ subscription }) =>
    subscription !== null && subscription.status !== 'canceled' && subscription.cancellation !== null,
  initial: () => ({}),
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  preview: (input) => ({ uncancel: input }),
  document: CommandUncancelDocument,
});
