import { Text } from '../kit/text.tsx';
import { AmountFields, type AmountValues, amountOf, noAmount, pricedOf } from './amount-fields.tsx';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandPaymentLinkDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';

function Fields({ values, change }: FieldsProps<AmountValues>) {
  const { paymentLink: words } = useCommandWords();
  return (
    <AmountFields
      values={values}
      change={change}
      name="description"
      labels={{ ...words, text: words.description, help: words.descriptionHelp }}
    />
  );
}

const Consequence = () => <Text as="p">{useCommandWords().paymentLink.consequence}</Text>;

export const paymentLink = defineCommand({
  name: 'paymentLink',
  group: 'links',
  applies: () => true,
  initial: noAmount,
  Fields,
  Consequence,
  verb: (values, words, money) => {
    const priced = pricedOf(values);
    return priced === null ? null : words.paymentLink.verbAmount({ amount: money(priced) });
  },
  input: (values, { customer }) => {
    const given = amountOf(values);
    if (given === null) return null;
    const { amount, currency, text } = given;
    return { customerId: customer.id, amount, currency, description: text };
  },
  document: CommandPaymentLinkDocument,
  result: ({ paymentCreate: { url } }) => (url ? { link: url } : {}),
});
