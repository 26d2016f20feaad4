import { shortDateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { useRefetchOnEvents } from '../../data/use-refetch-on-events.ts';
import { Avatar } from '../../kit/avatar.tsx';
import { BarChart } from '../../kit/charts/bar-chart.tsx';
import { ChartSpace } from '../../kit/charts/chart-frame.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText } from '../../kit/values.tsx';
import type { CurrencyCode } from '../../parts/countries.ts';
import { useMoney } from '../../parts/metrics/amounts.ts';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { HomePaymentsDocument, type HomePaymentsQuery } from './page.graphql';

type Upcoming = HomePaymentsQuery['upcomingPayments'];
type Risky = Upcoming['paymentsAtRisk'][number];

/** Event types that change upcoming payments. */
const kinds = ['payment_', 'subscription_', 'invoice_', 'usage_'] as const;

const chartHeight = 200;

/** Payments of the next 14 days: their sum, a chart by day, and the payments that may fail. */
export function PaymentsAhead({ currency }: { readonly currency: CurrencyCode | null }) {
  const words = useWords('home').ahead;
  const { data, error, refetch } = useData(
    HomePaymentsDocument,
    { currency: currency ?? 'usd' },
    { isPaused: currency === null },
  );
  useRefetchOnEvents({ kinds }, refetch);
  const upcoming = data?.upcomingPayments ?? null;
  return (
    <Card
      title={words.title}
      {...(upcoming !== null && {
        actions: (
          <Link href={addressOf('subscriptions', null, { status: 'active' })}>
            {words.count({ count: upcoming.count })}
          </Link>
        ),
      })}
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {upcoming === null && error === null && <ChartSpace height={chartHeight + 52} />}
      {upcoming !== null && currency !== null && <Payments upcoming={upcoming} currency={currency} />}
    </Card>
  );
}

type PaymentsProps = { readonly upcoming: Upcoming; readonly currency: CurrencyCode };

function Payments({ upcoming, currency }: PaymentsProps) {
  const words = useWords('home').ahead;
  const settings = useKit();
  const money = useMoney(currency);
  const { days, total, paymentsAtRisk, countAtRisk } = upcoming;
  const series = (['collected', 'expected', 'atRisk'] as const).map((id) => ({
    id,
    label: words.series({ name: words[id], amount: money.format(upcoming[id]) }),
    values: days.map((day) => day[id]),
    look: { collected: 'first', expected: 'expected', atRisk: 'risk' }[id] as 'first' | 'expected' | 'risk',
  }));
  return (
    <Stack gap={3}>
      <Row gap={2} align="end">
        <Text size="2xl" weight="bold">
          {money.format(total)}
        </Text>
        <Text size="sm" color="muted">
          {upcoming.isComplete ? words.expectedTotal : words.incomplete}
        </Text>
      </Row>
      <BarChart
        label={words.title}
        height={chartHeight}
        {...money}
        series={series}
        points={days.map(({ day }, index) => ({
          id: day,
          label: index === 0 ? words.today : shortDateText(day, settings),
        }))}
      />
      {paymentsAtRisk.length > 0 && (
        <RiskTable payments={paymentsAtRisk} count={countAtRisk} currency={currency} />
      )}
    </Stack>
  );
}

type RiskTableProps = {
  readonly payments: readonly Risky[];
  readonly count: number;
  readonly currency: CurrencyCode;
};

function RiskTable({ payments, count, currency }: RiskTableProps) {
  const words = useWords('home').ahead;
  const { locale } = useKit();
  const cardOf = ({ paymentMethod }: Risky): string =>
    paymentMethod === null ? '' : `•••• ${paymentMethod.last4}`;
  const columns: TableColumn<Risky>[] = [
    {
      id: 'customer',
      title: words.atRisk,
      cell: ({ customer }) => <Person {...customer} />,
    },
    {
      id: 'reason',
      title: words.reason,
      priority: 'secondary',
      cell: (payment) => {
        const text = words.reasons[payment.reason];
        return typeof text === 'string' ? text : text({ card: cardOf(payment) });
      },
    },
    { id: 'date', title: words.date, priority: 'secondary', cell: ({ dueAt }) => <DateText at={dueAt} /> },
    {
      id: 'amount',
      title: words.amount,
      align: 'end',
      cell: ({ amount }) => moneyText(amount, currency, locale),
    },
  ];
  return (
    <Stack gap={2}>
      <Table
        label={words.atRisk}
        columns={columns}
        rows={payments}
        rowKey={({ subscription, dueAt }) => `${subscription.id} ${dueAt}`}
      />
      {count > payments.length && (
        <Text size="sm" color="muted">
          {words.moreAtRisk({ count: count - payments.length })}
        </Text>
      )}
    </Stack>
  );
}

type PersonProps = { readonly id: string; readonly fullName: string | null; readonly email: string };

/** Avatar and name of a customer, linked to the customer. */
export function Person({ id, fullName, email }: PersonProps) {
  const name = fullName || email;
  return (
    <Row gap={2} wrap={false}>
      <Avatar id={id} name={name} size="sm" />
      <Link kind="text" href={addressOf('customer', { id })}>
        {name}
      </Link>
    </Row>
  );
}
