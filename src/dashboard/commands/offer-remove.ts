import { defineCommand, subscriptionId } from './command.ts';
import { CommandOfferRemoveDocument } from './commands.graphql';

export const offerRemove = defineCommand({
  name: 'offerRemove',
  group: 'subscription',
  isDangerous: true,
  applies: ({ subscription }) =>
    subscription?.offerApplications.some(({ status }) => status === 'applied' || status === 'quoted') ===
      true && subscription.status !== 'canceled',
  initial: () => ({}),
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  preview: (input) => ({ offerRemove: input }),
  document: CommandOfferRemoveDocument,
});
