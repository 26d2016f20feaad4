import { Stack } from '../../../../kit/layout.tsx';
import { Text } from '../../../../kit/text.tsx';
import type { PriceStep } from '../../../../parts/catalog/model/place.ts';
import type { plan as planWords } from '../../../../words/en/plan.ts';
import { useWords } from '../../../../words/words.ts';

/** Why a visitor pays an amount: the steps of the search for a price, as sentences. */
export function VisitorSteps({ steps }: { readonly steps: readonly PriceStep[] }) {
  const { steps: words } = useWords<typeof planWords>('plan');
  const sentence = (step: PriceStep): string => {
    if (step.kind === 'market') {
      if (!step.hasPrice) return words.marketWithout(step.market);
      return step.fromBase ? words.marketOfBase(step.market) : words.market(step.market);
    }
    if (step.kind === 'no_market') return words.noMarket;
    if (step.kind === 'no_currency') return words.noCurrency;
    if (step.kind === 'usd') return words.usd;
    const code = step.currency.toUpperCase();
    if (step.has === 'none') return words.currencyWithout(code);
    return step.has === 'typed' ? words.typed(code) : words.derived(code);
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
