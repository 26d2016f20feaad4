import { dateText } from '../../../ui/format/dates.ts';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import { useTerms } from '../terms.ts';
import type { PreviewedDocumentFragment } from './previewed.graphql';
import { PreviewedStatus } from './status.tsx';

type Props = { readonly invoice: PreviewedDocumentFragment };

/** Shows the tax and total of a previewed invoice. */
function Sums({ invoice }: Props) {
  const { preview: words } = useWords('commands');
  const { currency } = invoice;
  const sums: [string, number][] = [[words.tax, invoice.taxAmount]];
  const shown = sums.filter(([, amount]) => amount !== 0);
  return (
    <>
      {shown.map(([label, amount]) => (
        <Row key={label} justify="between" wrap={false}>
          <Text size="sm" color="muted">
            {label}
          </Text>
          <Text size="sm" color="muted">
            <Money minor={amount} currency={currency} />
          </Text>
        </Row>
      ))}
      <Row justify="between" wrap={false}>
        <Text weight="medium">{words.total}</Text>
        <Text weight="medium">
          <Money minor={invoice.total} currency={currency} />
        </Text>
      </Row>
    </>
  );
}

/** Previewed invoice with its line items and total. */
export function InvoicePreview({ invoice }: Props) {
  const { preview: words } = useWords('commands');
  const terms = useTerms();
  const settings = useKit();
  return (
    <Card
      tone="sunken"
      title={words.document({ type: terms.invoiceType[invoice.invoiceType] })}
      actions={<PreviewedStatus status={invoice.status} />}
    >
      <Stack gap={2}>
        <Text size="sm" color="muted">
          {dateText(invoice.issueDate, settings)}
          {invoice.status === 'outstanding' &&
            `, ${words.due({ date: dateText(invoice.dueDate, settings) })}`}
        </Text>
        {invoice.lineItems.map((line, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: lines of an invoice to come have no id and a fixed place.
          <Row key={index} justify="between" wrap={false} align="start">
            <Text size="sm">{line.description}</Text>
            <Text size="sm">
              <Money minor={line.amount} currency={invoice.currency} />
            </Text>
          </Row>
        ))}
        <Sums invoice={invoice} />
      </Stack>
    </Card>
  );
}
