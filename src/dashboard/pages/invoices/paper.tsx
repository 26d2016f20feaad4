import { unitPriceText } from '../../../ui/format/money.ts';
import { countryText } from '../../../ui/format/names.ts';
import { FactList } from '../../kit/fact-list.tsx';
import { Columns, Paper as PaperSheet, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { Count, Money, Period } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import { WhyLine } from './amount-explanation.tsx';
import { ppmText } from './figures.ts';
import type { InvoiceView } from './invoice-view.ts';

type PaperProps = { readonly invoice: InvoiceView };

/** Shows an invoice as a document: parties, line items with explanations, and the calculation of the total. */
export const Paper = ({ invoice }: PaperProps) => (
  <PaperSheet>
    <Parties invoice={invoice} />
    <Lines invoice={invoice} />
    <Totals invoice={invoice} />
  </PaperSheet>
);

function Parties({ invoice: { seller, buyer } }: PaperProps) {
  const words = useWords('invoices');
  const { locale } = useKit();
  const { address } = buyer;
  const place = address && [
    address.line1,
    address.line2,
    [address.postalCode, address.city].filter(Boolean).join(' '),
    address.state,
    countryText(address.country, locale),
  ];
  return (
    <Columns count={2}>
      <Party
        title={words.from}
        name={seller.name}
        lines={seller.address?.split('\n') ?? []}
        taxNumber={seller.taxId}
      />
      <Party
        title={words.billedTo}
        name={buyer.name || buyer.email}
        lines={[...(buyer.name === '' ? [] : [buyer.email]), ...(place ?? [])]}
        taxNumber={buyer.taxDocument}
      />
    </Columns>
  );
}

type PartyProps = {
  readonly title: string;
  readonly name: string;
  readonly lines: readonly (string | null)[];
  readonly taxNumber: string | null;
};

function Party({ title, name, lines, taxNumber }: PartyProps) {
  const words = useWords('invoices');
  const shown = lines.filter((line) => line !== null && line !== '');
  return (
    <Stack gap={1}>
      <Text size="sm" color="muted">
        {title}
      </Text>
      <Text weight="medium">{name}</Text>
      {shown.map((line) => (
        <Text key={line} size="sm" color="muted">
          {line}
        </Text>
      ))}
      {taxNumber !== null && (
        <Text size="sm" color="muted">
          {words.taxNumber} {taxNumber}
        </Text>
      )}
    </Stack>
  );
}

type Line = InvoiceView['lineItems'][number];

function Lines({ invoice: { lineItems, currency } }: PaperProps) {
  const words = useWords('invoices');
  const { locale } = useKit();
  const columns: TableColumn<Line>[] = [
    {
      id: 'description',
      title: words.line,
      cell: (line) => (
        <Stack gap={0}>
          <Text>{line.description}</Text>
          {line.periodStart !== null && line.periodEnd !== null && (
            <Text size="sm" color="muted">
              <Period from={line.periodStart} until={line.periodEnd} />
            </Text>
          )}
          <Row>
            <WhyLine line={line} currency={currency} />
          </Row>
        </Stack>
      ),
    },
    {
      id: 'quantity',
      title: words.quantity,
      align: 'end',
      priority: 'secondary',
      cell: ({ quantity }) => <Count value={quantity} />,
    },
    {
      id: 'unitPrice',
      title: words.unitPrice,
      align: 'end',
      priority: 'secondary',
      cell: ({ unitAmount }) => unitPriceText(unitAmount, currency, locale),
    },
    {
      id: 'amount',
      title: words.amount,
      align: 'end',
      cell: (line) => <Money minor={line.amount} currency={currency} />,
    },
  ];
  return <Table label={words.line} columns={columns} rows={lineItems} rowKey={({ id }) => id} />;
}

function Totals({ invoice }: PaperProps) {
  const words = useWords('invoices');
  const { locale } = useKit();
  const { currency, tax } = invoice;
  const money = (minor: number) => <Money minor={minor} currency={currency} />;
  const taxLabel =
    tax.name === null ? words.noTax : words.tax({ name: tax.name, rate: ppmText(tax.ratePpm, locale) });
  return (
    <Row justify="end">
      <FactList
        look="sums"
        items={[
          { label: words.subtotal, value: money(invoice.subtotal) },
          invoice.discountAmount !== 0 && { label: words.discount, value: money(-invoice.discountAmount) },
          invoice.creditApplied !== 0 && { label: words.credit, value: money(-invoice.creditApplied) },
          { label: taxLabel, value: money(invoice.taxAmount) },
          {
            label: <Text weight="bold">{words.total}</Text>,
            value: (
              <Text weight="bold">
                <Money minor={invoice.total} currency={currency} />
              </Text>
            ),
          },
          invoice.amountCredited !== 0 && {
            label: words.amountCredited,
            value: money(-invoice.amountCredited),
          },
          { label: words.amountPaid, value: money(invoice.amountPaid) },
          invoice.amountRefunded !== 0 && {
            label: words.amountRefunded,
            value: money(invoice.amountRefunded),
          },
          { label: words.amountDue, value: money(invoice.amountDue) },
        ]}
      />
    </Row>
  );
}
