import { decimalText, moneyText, rateText } from '../../../ui/format/money.ts';
import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import type { invoices } from '../../words/en/invoices.ts';
import { useWords } from '../../words/words.ts';
import { explainLine, type Why, type WhyFormats } from './why.ts';

/** Decimals of exchange rates: they count hundred-millionths. */
const exchangeDecimals = 8;

/** How the values behind an amount are shown in a currency. */
const formatsIn = (currency: string, locale: string): WhyFormats => ({
  minor: (amount) => moneyText(amount, currency, locale),
  rate: (rate) => rateText(rate, currency, locale),
  usCents: (amount) => moneyText(amount, 'usd', locale),
  percent: (basisPoints) => basisPointsText(Number(basisPoints), locale),
  exchangeRate: (rate) => decimalText(rate, exchangeDecimals).replace(/0+$/, ''),
  count: (value) => countText(Number(value), locale),
});

/** A line of an invoice as far as its amount is explained. */
type ExplainedLine = {
  readonly description: string;
  readonly amount: number;
  readonly explanation: {
    readonly rule: string;
    readonly formula: string;
    readonly inputs: unknown;
    readonly rounding: 'half_up' | 'none';
  };
};

type WhyProps = { readonly line: ExplainedLine; readonly currency: string };

/** The amount of a line as a button that explains it: the calculation in words, its exact form, and the same result worked out again here. */
export function WhyLine({ line, currency }: WhyProps) {
  const { locale } = useKit();
  const words = useWords<typeof invoices>('invoices');
  const amount = moneyText(line.amount, currency, locale);
  const why = explainLine(line.explanation, words.sentences, formatsIn(currency, locale));
  return (
    <Popover
      label={words.whyTitle({ amount })}
      placement="bottom end"
      trigger={
        <Button kind="quiet" size="sm" aria-label={words.whyLabel({ line: line.description })}>
          {words.why}
        </Button>
      }
    >
      <Stack gap={3}>
        <Text weight="medium">{words.whyTitle({ amount })}</Text>
        {why === null ? (
          <Callout tone="warning">{words.whyUnknown}</Callout>
        ) : (
          <Explained why={why} line={line} currency={currency} />
        )}
      </Stack>
    </Popover>
  );
}

function Explained({ why, line, currency }: WhyProps & { readonly why: Why }) {
  const { locale } = useKit();
  const words = useWords<typeof invoices>('invoices');
  const result = moneyText(why.amount, currency, locale);
  const agrees = why.amount === BigInt(line.amount);
  return (
    <>
      <Text>
        {why.sentence} = {result}
      </Text>
      <FactList
        look="stacked"
        items={[
          { label: words.whyFormula, value: <Text code>{`${why.exact} = ${why.amount}`}</Text> },
          { label: words.whyResult, value: result },
        ]}
      />
      <Text color="muted" size="sm">
        {line.explanation.rounding === 'half_up' ? words.whyRoundedHalfUp : words.whyNotRounded}
      </Text>
      <Callout tone={agrees ? 'positive' : 'negative'}>
        {agrees ? words.whyAgrees : words.whyDiffers({ amount: result })}
      </Callout>
    </>
  );
}
