import { moneyText, rateText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { Row, Slip, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Heading, Text } from '../../kit/text.tsx';
import { Money } from '../../kit/values.tsx';
import { useWords } from '../../words/words.ts';
import type { ExampleInvoice } from './model/first-invoice.ts';

type LineProps = {
  readonly label: string;
  readonly amount: number;
  readonly currency: string;
  readonly strong?: boolean;
};

const InvoiceLine = ({ label, amount, currency, strong = false }: LineProps) => (
  <Row justify="between" gap={3} align="start" wrap={false}>
    <Text weight={strong ? 'bold' : 'normal'}>{label}</Text>
    <Text weight={strong ? 'bold' : 'normal'}>
      <Money minor={amount} currency={currency} />
    </Text>
  </Row>
);

/** Shows the first invoice of a new customer, and the usage charges at the end of the period. The preview is calculated before the plan is saved. */
export function InvoicePreview({
  plan,
  invoice,
}: {
  readonly plan: string;
  readonly invoice: ExampleInvoice;
}) {
  const { firstInvoice: words } = useWords('catalog');
  const { locale } = useKit();
  const { currency, lines, later, total, afterDays } = invoice;
  const stub = (
    <Stack gap={2}>
      <InvoiceLine label={words.total} amount={total} currency={currency} strong />
      <Text size="xs" color="muted">
        {words.beforeTax}
      </Text>
      {later.map((line) => (
        <Text key={line.feature} color="muted">
          {words.later({
            feature: line.feature,
            used: countText(line.used, locale),
            included: countText(line.included, locale),
            over: countText(line.over, locale),
            amount: moneyText(line.amount, currency, locale),
          })}
        </Text>
      ))}
    </Stack>
  );
  return (
    <Slip stub={stub}>
      <Stack gap={2}>
        <Heading level={3} size="md">
          {words.title}
        </Heading>
        <Text color="muted">{afterDays === 0 ? words.atOnce : words.after({ days: afterDays })}</Text>
        {lines.map((line) =>
          line.kind !== 'seats' ? (
            <InvoiceLine
              key={line.kind}
              label={line.kind === 'base' ? plan : words.discount}
              amount={line.amount}
              currency={currency}
            />
          ) : (
            <InvoiceLine
              key={line.feature}
              label={
                line.unitPrice === null
                  ? words.unitsOfTiers({ feature: line.feature, count: line.quantity })
                  : words.units({
                      feature: line.feature,
                      count: countText(line.quantity, locale),
                      price: rateText(line.unitPrice, currency, locale),
                    })
              }
              amount={line.amount}
              currency={currency}
            />
          ),
        )}
      </Stack>
    </Slip>
  );
}
