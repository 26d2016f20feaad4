import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';

type ListTotalsProps = {
  /** Formatted totals of the listed objects, by currency. */
  readonly totals: readonly { readonly currency: string; readonly texts: readonly string[] }[];
};

/** Totals above a list, one line per currency. */
export const ListTotals = ({ totals }: ListTotalsProps) => (
  <Row gap={4}>
    {totals.map(({ currency, texts }) => (
      <Text key={currency} color="muted" size="sm">
        {texts.join(' · ')}
      </Text>
    ))}
  </Row>
);
