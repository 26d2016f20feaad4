import { moneyText } from '../../../ui/format/money.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import type { CurrencyCode } from '../../parts/countries.ts';
import { CurrencyField } from '../../parts/currency-field.tsx';
import { CustomerField } from '../../parts/customer-field.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { CreatePaymentLinkDocument } from './links.graphql';

type NewLinkProps = { readonly onClose: () => void; readonly onMade: (id: string) => void };

const cardSavings = ['always', 'optional', 'never'] as const;

type Values = {
  readonly description: string;
  readonly amount: number | null;
  readonly currency: CurrencyCode;
  readonly customerId: string;
  readonly saveCard: (typeof cardSavings)[number];
};

const noLink: Values = { description: '', amount: null, currency: 'usd', customerId: '', saveCard: 'always' };

/** Form for a payment link. The button label contains the amount. */
export function NewLink({ onClose, onMade }: NewLinkProps) {
  const { locale } = useKit();
  const words = useWords('payments').links;
  const [create, { isRunning, error }] = useAction(CreatePaymentLinkDocument);
  const draft = useDraft(noLink, {
    isReady: ({ description, amount }) => description.trim() !== '' && amount !== null && amount > 0,
    send: ({ description, amount, customerId, ...values }) =>
      create({
        input: {
          ...values,
          description: description.trim(),
          amount: amount ?? 0,
          ...(customerId !== '' && { customerId }),
        },
      }),
    onDone: ({ paymentCreate }) => onMade(paymentCreate.id),
  });
  const { values, change, field } = draft;
  const { amount, currency } = values;
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.newTitle}
      actions={
        <Button
          kind="primary"
          type="submit"
          form="new-link"
          isDisabled={!draft.isReady}
          isPending={isRunning}
        >
          {amount !== null && amount > 0
            ? words.create({ amount: moneyText(amount, currency, locale) })
            : words.createPlain}
        </Button>
      }
    >
      <Form id="new-link" draft={draft} errors={error?.details ?? []}>
        <Stack>
          <TextField
            name="description"
            label={words.description}
            help={words.descriptionHelp}
            {...field('description')}
            isRequired
            autoFocus
          />
          <CurrencyField
            label={words.currency}
            value={currency}
            onChange={(code) => change({ currency: code })}
          />
          <MoneyField
            name="amount"
            label={words.amount}
            currency={currency}
            value={amount}
            onChange={(minor) => change({ amount: minor })}
            isRequired
          />
          <CustomerField
            name="customerId"
            label={words.customer}
            help={words.customerHelp}
            isOptional
            onChange={(customer) => change({ customerId: customer?.id ?? '' })}
          />
          <Select
            name="saveCard"
            label={words.saveCard}
            options={cardSavings.map((value) => ({ value, label: words.saveCards[value] }))}
            value={values.saveCard}
            onChange={(chosen) =>
              change({ saveCard: cardSavings.find((value) => value === chosen) ?? values.saveCard })
            }
          />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
