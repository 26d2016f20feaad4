import { moneyText } from '../../ui/format/money.ts';
import { useData } from '../data/hooks.ts';
import { useKit } from '../kit/provider.tsx';
import { Text } from '../kit/text.tsx';
import { ChoiceInvoicesDocument } from './choices.graphql';
import { defineCommand, type FieldsProps } from './command.ts';
import { CommandAdjustmentDocument } from './commands.graphql';
import { none, useCommandWords } from './fields.tsx';
import { MoneyField, Select, TextField } from './lazy-fields.ts';

type Values = {
  readonly amount: number | null;
  /** Currency of the selected invoice. Defaults to the subscription's currency. */
  readonly currency: string;
  readonly description: string;
  readonly invoiceId: string;
};

function Fields({ values, change, subject }: FieldsProps<Values>) {
  const { adjustment: words } = useCommandWords();
  const { locale } = useKit();
  const { data } = useData(ChoiceInvoicesDocument, { id: subject.customer.id });
  const invoices = data?.customer.invoices.nodes.filter(
    ({ status, total }) => status !== 'void' && status !== 'draft' && total > 0,
  );
  const chooseInvoice = (invoiceId: string) => {
    const invoice = invoices?.find(({ id }) => id === invoiceId);
    change({ invoiceId, currency: invoice?.currency ?? subject.subscription?.currency ?? 'usd' });
  };
  return (
    <>
      <MoneyField
        name="amount"
        label={words.amount}
        help={words.amountHelp}
        currency={values.currency}
        value={values.amount}
        onChange={(amount) => change({ amount })}
      />
      <TextField
        name="description"
        label={words.description}
        maxLength={1000}
        value={values.description}
        onChange={(description) => change({ description })}
      />
      {(values.amount ?? 0) < 0 && (
        <Select
          name="invoiceId"
          label={words.invoice}
          isOptional
          options={[
            { value: none, label: words.noInvoice },
            ...(invoices ?? []).map(({ id, invoiceNumber, total, currency }) => ({
              value: id,
              label: `${invoiceNumber} · ${moneyText(total, currency, locale)}`,
            })),
          ]}
          value={values.invoiceId}
          onChange={chooseInvoice}
        />
      )}
    </>
  );
}

function Consequence({ values: { amount, currency } }: FieldsProps<Values>) {
  const { adjustment: words } = useCommandWords();
  const { locale } = useKit();
  if (amount === null || amount === 0) return null;
  const text = moneyText(Math.abs(amount), currency, locale);
  return <Text as="p">{amount < 0 ? words.returns({ amount: text }) : words.asks({ amount: text })}</Text>;
}

export const adjustment = defineCommand({
  name: 'adjustment',
  group: 'money',
  applies: () => true,
  initial: ({ subscription, target }): Values => ({
    amount: null,
    currency: subscription?.currency ?? 'usd',
    description: '',
    invoiceId: target ?? none,
  }),
  Fields,
  Consequence,
  verb: ({ amount, currency }, { adjustment: words }, money) => {
    if (amount === null || amount === 0) return null;
    const text = money({ amount: Math.abs(amount), currency });
    return amount < 0 ? words.verbCredit({ amount: text }) : words.verbAmount({ amount: text });
  },
  input: ({ amount, description, invoiceId }, { customer }) =>
    amount === null || amount === 0 || description.trim() === ''
      ? null
      : {
          customerId: customer.id,
          amount,
          description: description.trim(),
          ...(amount < 0 && invoiceId !== none && { invoiceId }),
        },
  document: CommandAdjustmentDocument,
});
