import { Text } from '../kit/text.tsx';
import { defineCommand } from './command.ts';
import { CommandPortalLinkDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';

const Consequence = () => <Text as="p">{useCommandWords().portalLink.consequence}</Text>;

export const portalLink = defineCommand({
  name: 'portalLink',
  group: 'links',
  applies: () => true,
  initial: () => ({}),
  Consequence,
  input: (_values, { customer }) => ({ customerId: customer.id }),
  document: CommandPortalLinkDocument,
  result: ({ portalSessionCreate: { portalUrl } }) => ({ link: portalUrl }),
});
