import { Text } from '../kit/text.tsx';
import { defineCommand, isIn, subscriptionId } from './command.ts';
import { CommandCardLinkDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';

const Consequence = () => <Text as="p">{useCommandWords().cardLink.consequence}</Text>;

export const cardLink = defineCommand({
  name: 'cardLink',
  group: 'links',
  applies: (subject) => isIn(subject, 'trialing', 'active', 'past_due'),
  initial: () => ({}),
  Consequence,
  input: (_values, subject) => ({ id: subscriptionId(subject) }),
  document: CommandCardLinkDocument,
  result: ({ subscriptionPaymentMethodUpdate: { checkoutUrl } }) => ({ link: checkoutUrl }),
});
