import { Stack } from '../../../../kit/layout.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { PriceStep } from '../../../../parts/catalog/model/place.ts';
import { useWords } from '../../../../words/words.ts';

/** Explains how a visitor's price was determined, with one sentence per step. */
export function VisitorSteps({ steps }: { readonly steps: readonly PriceStep[] }) {
  const { steps: words } = useWords('plan');
  const sentence = (step: PriceStep): string => {
    if (step.kind === 'market') {
      if (!step.hasPrice) return words.marketWithout({ name: step.market });
      return step.fromBase ? words.marketOfBase({ name: step.market }) : words.market({ name: step.market });
    }
    if (step.kind === 'no_market') return words.noMarket;
    if (step.kind === 'no_currency') return words.noCurrency;
    if (step.kind === 'usd') return words.usd;
    const code = step.currency.toUpperCase();
    if (step.has === 'none') return words.currencyWithout({ currency: code });
    return step.has === 'typed' ? words.typed({ currency: code }) : words.derived({ currency: code });
  };
  return (
    <Stack gap={1} as="ol">
      {steps.map((step) => (
        <Text key={step.kind} as="li" size="sm" color="muted">
          {sentence(step)}
        </Text>
      ))}
    </Stack>
  );
}
