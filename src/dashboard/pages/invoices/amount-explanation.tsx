import { decimalText, moneyText, rateText } from '../../../ui/format/money.ts';
import { basisPointsText, countText } from '../../../ui/format/numbers.ts';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { FactList } from '../../kit/fact-list.tsx';
import { Stack } from '../../kit/layout.tsx';
import { Popover } from '../../kit/popover.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords } from '../../words/words.ts';
import { explainLine, type Why, type WhyFormats } from './explain-amount.ts';

/** Exchange rates are whole numbers in units of 0.00000001. */
const exchangeDecimals = 8;

/** Returns the formatters for the values in an amount's explanation. */
const formatsIn = (currency: string, locale: string): WhyFormats => ({
  minor: (amount) => moneyText(amount, currency, locale),
  rate: (rate) => rateText(rate, currency, locale),
  usCents: (amount) => moneyText(amount, 'usd', locale),
  percent: (basisPoints) => basisPointsText(Number(basisPoints), locale),
  exchangeRate: (rate) => decimalText(rate, exchangeDecimals).replace(/0+$/, ''),
  count: (value) => countText(Number(value), locale),
});

/** Fields of a line item that explain its amount. */
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

/**
 * Amount of a line item. A button opens its explanation: the calculation as a sentence, the exact formula, and the result recalculated in the
 * browser.
 */
export function WhyLine({ line, currency }: WhyProps) {
  const { locale } = useKit();
  const words = useWords('invoices');
  const amount = moneyText(line.amount, currency, locale);
  const why = explainLine(line.explanation, words.sentences, formatsIn(currency, locale));
  return (
    <Popover
      label={words.whyTitle({ amount })}
      placement="bottom start"
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
  const words = useWords('invoices');
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
