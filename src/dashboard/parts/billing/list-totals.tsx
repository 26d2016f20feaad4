import { moneyText } from '../../../ui/format/money.ts';
import { useData } from '../../data/hooks.ts';
import { partOf, selectTotals, type TotalsDocument } from '../../data/list-source.ts';
import { Row } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';

/** Formatted totals of the listed objects in a currency. */
type TotalsLine = { readonly currency: string; readonly texts: readonly string[] };

type ListTotalsProps<Total, Variables> = {
  /** Query of the list. */
  readonly document: TotalsDocument<Total, Omit<Variables, 'sort'>>;
  /** Variables of the list's query. */
  readonly variables: Variables;
  /** Formats totals. `money` formats an amount in minor units. */
  readonly linesOf: (
    totals: readonly Total[],
    money: (minor: number, currency: string) => string,
  ) => readonly TotalsLine[];
};

/** Totals above a list, by currency. Without totals, an empty line reserves the space, so that the list doesn't move when the totals load. */
export function ListTotals<Total, Variables extends Readonly<Record<string, unknown>>>({
  document,
  variables,
  linesOf,
}: ListTotalsProps<Total, Variables>) {
  const { locale } = useKit();
  const { data } = useData(document, selectTotals(variables));
  const totals = (data === null ? undefined : partOf(data)?.totals) ?? [];
  const lines = linesOf(totals, (minor, currency) => moneyText(minor, currency, locale));
  return (
    <Row gap={4}>
      {lines.length === 0 && <Text size="sm">{'\u00a0'}</Text>}
      {lines.map(({ currency, texts }) => (
        <Text key={currency} color="muted" size="sm">
          {texts.join(' · ')}
        </Text>
      ))}
    </Row>
  );
}
