import { useState } from 'react';
import { moneyText } from '../../../ui/format/money.ts';
import { ApiError } from '../../data/api-error.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Form } from '../../kit/form.tsx';
import { Stack } from '../../kit/layout.tsx';
import { MoneyField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Select } from '../../kit/select.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { TextField } from '../../kit/text-field.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { CurrencyField } from '../../parts/currency-field.tsx';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { CreatePaymentLinkDocument } from './links.graphql';

type NewLinkProps = { readonly onClose: () => void; readonly onMade: (id: string) => void };

const cardSavings = ['always', 'optional', 'never'] as const;

/** Form for a payment link. The button label contains the amount. */
export function NewLink({ onClose, onMade }: NewLinkProps) {
  const { locale } = useKit();
  const words = useWords('payments').links;
  const [description, setDescription] = useState('');
  const [amount, setAmount] = useState<number | null>(null);
  const [currency, setCurrency] = useState<CurrencyCode>('usd');
  const [customerId, setCustomerId] = useState('');
  const [saveCard, setSaveCard] = useState<(typeof cardSavings)[number]>('always');
  const [create, { isRunning, error }] = useAction(CreatePaymentLinkDocument);
  const isReady = description.trim() !== '' && amount !== null && amount > 0;
  const send = async () => {
    if (!isReady || isRunning) return;
    const customer = customerId.trim();
    const result = await create({
      input: {
        description: description.trim(),
        amount,
        currency,
        saveCard,
        ...(customer !== '' && { customerId: customer }),
      },
    });
    if (!(result instanceof ApiError)) onMade(result.paymentCreate.id);
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={words.newTitle}
      actions={
        <Button kind="primary" type="submit" form="new-link" isDisabled={!isReady} isPending={isRunning}>
          {amount !== null && amount > 0
            ? words.create({ amount: moneyText(amount, currency, locale) })
            : words.createPlain}
        </Button>
      }
    >
      <Form
        id="new-link"
        onSubmit={() => void send()}
        errors={error?.details ?? []}
        isChanged={description !== '' || amount !== null}
      >
        <Stack>
          <TextField
            name="description"
            label={words.description}
            help={words.descriptionHelp}
            value={description}
            onChange={setDescription}
            isRequired
            autoFocus
          />
          <CurrencyField label={words.currency} value={currency} onChange={setCurrency} />
          <MoneyField
            name="amount"
            label={words.amount}
            currency={currency}
            value={amount}
            onChange={setAmount}
            isRequired
          />
          <TextField
            name="customerId"
            label={words.customer}
            help={words.customerHelp}
            value={customerId}
            onChange={setCustomerId}
          />
          <Select
            name="saveCard"
            label={words.saveCard}
            options={cardSavings.map((value) => ({ value, label: words.saveCards[value] }))}
            value={saveCard}
            onChange={(chosen) => setSaveCard(cardSavings.find((value) => value === chosen) ?? saveCard)}
          />
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
