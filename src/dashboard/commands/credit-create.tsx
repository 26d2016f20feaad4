import { dayStart } from '../../ui/format/dates.ts';
import { moneyText } from '../../ui/format/money.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { AmountFields, type AmountValues, amountOf, noAmount, pricedOf } from './amount-fields.tsx';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandCreditCreateDocument } from './commands.graphql';
import { useCommandWords } from './fields.tsx';
import { DateField } from './lazy-fields.ts';

type Values = AmountValues & { readonly expires: string | null };

function Fields({ values, change }: FieldsProps<Values>) {
  const { creditCreate: words } = useCommandWords();
  return (
    <>
      <AmountFields
        values={values}
        change={change}
        name="reason"
        labels={{ amount: words.amount, currency: words.currency, text: words.reason }}
      />
      <DateField
        name="expiresAt"
        label={words.expires}
        help={words.expiresHelp}
        isOptional
        value={values.expires}
        onChange={(expires) => change({ expires })}
      />
    </>
  );
}

function Consequence({ values }: FieldsProps<Values>) {
  const { creditCreate: words } = useCommandWords();
  const { locale } = useKit();
  const priced = pricedOf(values);
  if (priced === null) return null;
  return (
    <Text as="p">{words.consequence({ amount: moneyText(priced.amount, priced.currency, locale) })}</Text>
  );
}

export const creditCreate = defineCommand({
  name: 'creditCreate',
  group: 'money',
  applies: () => true,
  initial: (subject): Values => ({ ...noAmount(subject), expires: null }),
  Fields,
  Consequence,
  verb: (values, words, money) => {
    const priced = pricedOf(values);
    return priced === null ? null : words.creditCreate.verbAmount({ amount: money(priced) });
  },
  input: (values, { customer }) => {
    const given = amountOf(values);
    if (given === null) return null;
    const { amount, currency, text } = given;
    const { expires } = values;
    return {
      customerId: customer.id,
      amount,
      currency,
      reason: text,
      ...(expires !== null && { expiresAt: dayStart(expires) }),
    };
  },
  document: CommandCreditCreateDocument,
});
