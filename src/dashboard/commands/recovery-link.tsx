import { Text } from '../kit/text.tsx';
import { defineCommand, isIn, subscriptionId } from './command.ts';
import { CommandRecoveryLinkDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';

const Consequence = () => <Text as="p">{useCommandWords().recoveryLink.consequence}</Text>;

export const recoveryLink = defineCommand({
  name: 'recoveryLink',
  group: 'links',
  applies: (subject) => isIn(subject, 'past_due'),
  initial: () => ({}),
  Consequence,
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  document: CommandRecoveryLinkDocument,
  result: ({ subscriptionRecoveryLinkCreate: { url } }) => ({ link: url }),
});
