import { addressOf } from '../../address.ts';
import { Status } from '../../kit/badge.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { DeclineText, TransactionStatus } from '../../parts/billing/status.tsx';
import { useCardText, useTerms } from '../../parts/terms.ts';
import { useWords } from '../../words/words.ts';
import type { InvoiceView } from './invoice-view.ts';

type InvoiceProps = { readonly invoice: InvoiceView };

type Attempt = InvoiceView['transactions'][number];

/** Lists the payment attempts for an invoice, newest first. */
export function Attempts({ invoice }: InvoiceProps) {
  const words = useWords('invoices');
  const paymentWords = useWords('payments');
  const cardText = useCardText();
  const columns: TableColumn<Attempt>[] = [
    {
      id: 'time',
      title: paymentWords.time,
      cell: ({ id, createdAt }) => (
        <Link kind="text" href={addressOf('payment', { id })}>
          <DateTime at={createdAt} />
        </Link>
      ),
    },
    {
      id: 'status',
      title: paymentWords.status,
      cell: ({ status, declineCode }) => (
        <Stack gap={0} align="start">
          <TransactionStatus status={status} />
          {declineCode !== null && (
            <Text size="sm" color="muted">
              <DeclineText code={declineCode} />
            </Text>
          )}
        </Stack>
      ),
    },
    {
      id: 'method',
      title: paymentWords.method,
      priority: 'secondary',
      cell: ({ paymentMethod }) =>
        paymentMethod === null ? paymentWords.unknownMethod : cardText(paymentMethod),
    },
    {
      id: 'amount',
      title: paymentWords.amount,
      align: 'end',
      cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
    },
  ];
  return (
    <Card title={words.attempts} padding="none">
      <Table
        label={words.attempts}
        columns={columns}
        rows={invoice.transactions}
        rowKey={({ id }) => id}
        empty={words.noAttempts}
      />
    </Card>
  );
}

/** Lists the events and emails for an invoice. */
export function History({ invoice }: InvoiceProps) {
  const words = useWords('invoices');
  const { emailStatus } = useTerms();
  const entries = [
    ...invoice.emails.nodes.map(({ id, subject, createdAt, event, status }) => ({
      id,
      text: subject ?? words.emails,
      // In a sandbox, the event has the test clock's time, like the other entries.
      at: event?.timestamp ?? createdAt,
      note: emailStatus[status],
    })),
    ...invoice.events.nodes.map(({ id, summary, timestamp }) => ({
      id,
      text: summary,
      at: timestamp,
      note: null,
    })),
  ].sort((one, other) => other.at.localeCompare(one.at));
  return (
    <Card title={words.history}>
      <Stack gap={3} as="ul">
        {entries.map(({ id, text, at, note }) => (
          <Stack key={id} gap={0} as="li">
            <Row>
              <Text>{text}</Text>
              {note !== null && <Status>{note}</Status>}
            </Row>
            <Text size="sm" color="muted">
              <DateTime at={at} />
            </Text>
          </Stack>
        ))}
      </Stack>
    </Card>
  );
}
