import { Callout } from '../../kit/callout.tsx';
import type { metrics } from '../../words/en/metrics.ts';
import { useWords } from '../../words/words.ts';

type NoticesProps = {
  readonly isComplete: boolean;
  readonly missingRates?: readonly { readonly currency: string }[];
};

/** Why figures are not complete: exchange rates that are missing, sums that are still being made. */
export function Notices({ isComplete, missingRates = [] }: NoticesProps) {
  const words = useWords<typeof metrics>('metrics');
  const missing = [...new Set(missingRates.map(({ currency }) => currency.toUpperCase()))];
  return (
    <>
      {missing.length > 0 && (
        <Callout tone="warning">{words.missingRates({ currencies: missing.join(', ') })}</Callout>
      )}
      {!isComplete && <Callout tone="info">{words.incomplete}</Callout>}
    </>
  );
}
