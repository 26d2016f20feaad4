import { now } from '../data/clock.ts';
import { isOfferRunning } from '../parts/subscription/offers.ts';
import { defineCommand, subscriptionId } from './command.ts';
import { CommandOfferRemoveDocument } from './commands.graphql';

export const offerRemove = defineCommand({
  name: 'offerRemove',
  group: 'subscription',
  isDangerous: true,
  applies: ({ subscription }) =>
    subscription !== null &&
    subscription.status !== 'canceled' &&
    subscription.offerApplications.some((application) => isOfferRunning(application, now())),
  initial: () => ({}),
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  preview: (input) => ({ offerRemove: input }),
  document: CommandOfferRemoveDocument,
});
