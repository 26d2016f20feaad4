import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';

type ListTotalsProps = {
  /** What the rows of each currency add up to, in words. */
  readonly totals: readonly { readonly currency: string; readonly texts: readonly string[] }[];
};

/** What the rows of a list add up to, a line a currency. */
export const ListTotals = ({ totals }: ListTotalsProps) => (
  <Row gap={4}>
    {totals.map(({ currency, texts }) => (
      <Text key={currency} color="muted" size="sm">
        {texts.join(' · ')}
      </Text>
    ))}
  </Row>
);
