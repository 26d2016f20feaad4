import { Callout } from '../kit/callout.tsx';
import { Text } from '../kit/text.tsx';
import { useCardText } from '../parts/terms.ts';
import { AmountFields, type AmountValues, amountOf, noAmount, pricedOf } from './amount-fields.tsx';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandChargeDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';

function Fields({ values, change, subject }: FieldsProps<AmountValues>) {
  const { charge: words } = useCommandWords();
  return (
    <>
      {!subject.subscription?.paymentMethod && <Callout tone="warning">{words.noCard}</Callout>}
      <AmountFields
        values={values}
        change={change}
        name="description"
        labels={{ ...words, text: words.description, help: words.descriptionHelp }}
      />
    </>
  );
}

function Consequence({ subject: { subscription } }: FieldsProps<AmountValues>) {
  const { charge: words } = useCommandWords();
  const cardText = useCardText();
  const card = subscription?.paymentMethod;
  return (
    <>
      {card && <Text as="p">{words.card({ card: cardText(card) })}</Text>}
      <Text as="p" color="muted">
        {words.tax}
      </Text>
    </>
  );
}

export const charge = defineCommand({
  name: 'charge',
  group: 'money',
  applies: ({ customer: { paymentMethods }, subscription }) =>
    paymentMethods === undefined || paymentMethods.length > 0 || Boolean(subscription?.paymentMethod),
  initial: noAmount,
  Fields,
  Consequence,
  verb: (values, words, money) => {
    const priced = pricedOf(values);
    return priced === null ? null : words.charge.verbTax({ amount: money(priced) });
  },
  input: (values, { customer }) => {
    const given = amountOf(values);
    if (given === null) return null;
    const { amount, currency, text } = given;
    return { customerId: customer.id, amount, currency, description: text };
  },
  document: CommandChargeDocument,
  result: ({ paymentCharge: { status } }) => (status === 'failed' ? { warning: 'declined' } : {}),
});
