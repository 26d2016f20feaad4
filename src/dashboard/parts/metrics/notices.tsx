import { Callout } from '../../kit/callout.tsx';
import { useWords } from '../../words/words.ts';

type NoticesProps = {
  readonly isComplete: boolean;
  readonly missingRates?: readonly { readonly currency: string }[];
};

/** Explains why metrics are incomplete: exchange rates are missing, or totals are still being updated. */
export function Notices({ isComplete, missingRates = [] }: NoticesProps) {
  const words = useWords('metrics');
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
