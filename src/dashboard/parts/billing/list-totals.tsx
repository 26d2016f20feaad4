import { Row } from '../../kit/layout.tsx';
import { Text } from '../../kit/text.tsx';

type ListTotalsProps = {
  /** Formatted totals of the listed objects, by currency. */
  readonly totals: readonly { readonly currency: string; readonly texts: readonly string[] }[];
};

/** Totals above a list, by currency. Without totals, an empty line reserves the space, so that the list doesn't move when the totals load. */
export const ListTotals = ({ totals }: ListTotalsProps) => (
  <Row gap={4}>
    {totals.length === 0 && <Text size="sm">{'\u00a0'}</Text>}
    {totals.map(({ currency, texts }) => (
      <Text key={currency} color="muted" size="sm">
        {texts.join(' · ')}
      </Text>
    ))}
  </Row>
);
