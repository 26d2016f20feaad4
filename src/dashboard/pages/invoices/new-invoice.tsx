import { moneyText } from '../../../ui/format/money.ts';
import { usePreview } from '../../commands/use-preview.ts';
import { useAction } from '../../data/hooks.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Checkbox } from '../../kit/choice.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Form } from '../../kit/form.tsx';
import { Divider, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { TextArea, TextField } from '../../kit/text-field.tsx';
import { useDraft } from '../../kit/use-draft.ts';
import { Money } from '../../kit/values.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { CurrencyField } from '../../parts/currency-field.tsx';
import { type CustomerChoice, CustomerField } from '../../parts/customer-field.tsx';
import { notify } from '../../shell/notices.ts';
import { Rejection } from '../../shell/rejection.tsx';
import { useWords } from '../../words/words.ts';
import { LinesField, type LineValues, newLine } from './lines-field.tsx';
import { CreateInvoiceDocument, SendNewInvoiceDocument } from './new-invoice.graphql';

type NewInvoiceProps = { readonly onClose: () => void; readonly onMade: (id: string) => void };

type Values = {
  readonly customer: CustomerChoice | null;
  readonly currency: CurrencyCode;
  readonly lines: readonly LineValues[];
  readonly memo: string;
  readonly poNumber: string;
  readonly reference: string;
  readonly daysUntilDue: number;
  readonly isSent: boolean;
};

const noInvoice: Values = {
  customer: null,
  currency: 'usd',
  lines: [newLine(0)],
  memo: '',
  poNumber: '',
  reference: '',
  daysUntilDue: 30,
  isSent: true,
};

/** Returns the parameters of the mutation. `null` if the form isn't complete. */
function inputOf({ customer, currency, lines, daysUntilDue, ...texts }: Values) {
  const lineItems = lines.flatMap(({ description, quantity, unitAmount }) =>
    description.trim() === '' || unitAmount === null || unitAmount < 0
      ? []
      : [{ description: description.trim(), quantity, unitAmount }],
  );
  const isPriced = lineItems.some(({ unitAmount }) => unitAmount > 0);
  if (customer === null || lineItems.length < lines.length || !isPriced) return null;
  const [memo, poNumber, reference] = [texts.memo.trim(), texts.poNumber.trim(), texts.reference.trim()];
  return {
    customerId: customer.id,
    currency,
    lineItems,
    daysUntilDue,
    ...(memo !== '' && { memo }),
    ...(poNumber !== '' && { poNumber }),
    ...(reference !== '' && { reference }),
  };
}

/** Form for an invoice with its own line items. Shows the tax and the total before the invoice is created. */
export function NewInvoice({ onClose, onMade }: NewInvoiceProps) {
  const { locale } = useKit();
  const { editor: words, ...invoiceWords } = useWords('invoices');
  const [create, { isRunning, error }] = useAction(CreateInvoiceDocument);
  const [send, { isRunning: isSending }] = useAction(SendNewInvoiceDocument);
  const draft = useDraft(noInvoice, {
    isReady: (values) => inputOf(values) !== null,
    send: async (values) => {
      const input = inputOf(values);
      return input === null ? false : create({ input });
    },
    onDone: async ({ invoiceCreate: { id, invoiceNumber } }, { customer, isSent }) => {
      const email = customer?.email ?? '';
      if (isSent) {
        const result = await send({ input: { id } });
        const wasSent = !(result instanceof Error) && result.invoiceSend.sent;
        notify(
          wasSent
            ? invoiceWords.sent({ number: invoiceNumber, email })
            : words.onlyCreated({ number: invoiceNumber }),
          { tone: wasSent ? 'positive' : 'negative' },
        );
      } else notify(words.created({ number: invoiceNumber }), { tone: 'positive' });
      onMade(id);
    },
  });
  const { values, change, field } = draft;
  const { currency } = values;
  const input = inputOf(values);
  const { preview } = usePreview(input === null ? null : { invoiceCreate: input });
  const invoice = preview?.invoices[0];
  return (
    <Sheet
      isOpen
      size="lg"
      onClose={onClose}
      title={words.title}
      actions={
        <Button
          kind="primary"
          type="submit"
          form="new-invoice"
          isDisabled={!draft.isReady}
          isPending={isRunning || isSending}
        >
          {invoice === undefined
            ? words.createPlain
            : words.create({ amount: moneyText(invoice.total, invoice.currency, locale) })}
        </Button>
      }
    >
      <Form id="new-invoice" draft={draft} errors={error?.details ?? []}>
        <Stack>
          <CustomerField
            name="customerId"
            label={invoiceWords.customer}
            autoFocus
            onChange={(customer) => change({ customer })}
          />
          <CurrencyField
            label={words.currency}
            value={currency}
            onChange={(code) => change({ currency: code })}
          />
          <LinesField lines={values.lines} currency={currency} onChange={(lines) => change({ lines })} />
          <Divider />
          <NumberField
            name="daysUntilDue"
            label={words.daysUntilDue}
            help={words.daysUntilDueHelp}
            minValue={0}
            maxValue={365}
            value={values.daysUntilDue}
            onChange={(days) => change({ daysUntilDue: Number.isNaN(days) ? 0 : days })}
          />
          <TextArea
            name="memo"
            label={invoiceWords.memo}
            help={words.memoHelp}
            isOptional
            {...field('memo')}
          />
          <TextField
            name="poNumber"
            label={invoiceWords.poNumber}
            isOptional
            maxLength={100}
            {...field('poNumber')}
          />
          <TextField
            name="reference"
            label={invoiceWords.reference}
            isOptional
            maxLength={100}
            {...field('reference')}
          />
          <Checkbox {...draft.choice('isSent')}>{words.send}</Checkbox>
          {invoice !== undefined && (
            <FactList
              look="sums"
              items={[
                {
                  label: invoiceWords.subtotal,
                  value: <Money minor={invoice.subtotal} currency={invoice.currency} />,
                },
                {
                  label: invoiceWords.noTax,
                  value: <Money minor={invoice.taxAmount} currency={invoice.currency} />,
                },
                {
                  label: invoiceWords.total,
                  value: <Money minor={invoice.total} currency={invoice.currency} />,
                },
              ]}
            />
          )}
          {preview?.rejection && <Callout tone="negative">{preview.rejection.message}</Callout>}
          <Rejection error={error} />
        </Stack>
      </Form>
    </Sheet>
  );
}
