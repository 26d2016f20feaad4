import { TimeLine } from '../../kit/charts/time-line.tsx';
import { Section } from '../../kit/page.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import type { Tone } from '../../kit/tone.ts';
import { useSubscriptionWords } from '../subscription-words.ts';
import { useTerms } from '../terms.ts';
import { type MarkKind, periodBar } from './period.ts';
import type { SubscriptionTermsFragment } from './terms.graphql';

const tones: Record<MarkKind, Tone> = {
  now: 'neutral',
  trial_end: 'info',
  renewal: 'positive',
  plan_change: 'info',
  cancellation: 'warning',
  payment_attempt: 'negative',
  grant_end: 'special',
};

/** Shows the current period of a subscription as a bar with upcoming events. */
export function PeriodSection({ subscription }: { readonly subscription: SubscriptionTermsFragment }) {
  const { page: words } = useSubscriptionWords();
  const terms = useTerms();
  const settings = useKit();
  const bar = periodBar(subscription, settings.now().toISOString());
  const left = subscription.currentPeriod?.daysRemaining ?? 0;
  return (
    <Section title={words.period}>
      {bar === null ? (
        <Text color="muted">{words.noPeriod}</Text>
      ) : (
        <TimeLine
          label={words.daysLeft({ days: left })}
          from={bar.start}
          until={bar.end}
          marks={bar.marks.map(({ kind, at }) => ({
            id: kind,
            at,
            label: terms.mark[kind],
            tone: tones[kind],
          }))}
        />
      )}
    </Section>
  );
}
