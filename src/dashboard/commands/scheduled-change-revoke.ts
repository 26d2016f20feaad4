import { defineCommand, subscriptionId } from './command.ts';
import { CommandScheduledChangeRevokeDocument } from './commands.graphql';

export const scheduledChangeRevoke = defineCommand({
  name: 'scheduledChangeRevoke',
  group: 'subscription',
  applies: ({ subscription }) => subscription !== null && subscription.scheduledPlanChange !== null,
  initial: () => ({}),
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  preview: (input) => ({ scheduledChangeRevoke: input }),
  document: CommandScheduledChangeRevokeDocument,
});
