import { dateText, periodText } from '../../ui/format/dates.ts';
import { moneyText } from '../../ui/format/money.ts';
import { countText } from '../../ui/format/numbers.ts';
import { Badge } from '../kit/badge.tsx';
import { Callout } from '../kit/callout.tsx';
import { FactList } from '../kit/fact-list.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { useKit } from '../kit/provider.tsx';
import { Heading, Text } from '../kit/text.tsx';
import { InvoicePreview } from '../parts/billing/invoice-preview.tsx';
import type { PreviewedFragment } from '../parts/billing/previewed.graphql';
import { useDeclineText } from '../parts/billing/status.tsx';
import { eventName } from '../parts/events/event-name.ts';
import type { SubscriptionTermsFragment } from '../parts/subscription/terms.graphql';
import { useTerms } from '../parts/terms.ts';
import { useCommandWords } from './fields.tsx';
import { outcomeOf } from './outcome.ts';
import { type FeatureDifference, type PlanFeature, planDifference } from './plan-difference.ts';
import { usePlans } from './plans.ts';

type Props = {
  readonly preview: PreviewedFragment;
  /** Current subscription. `null` if the command creates a subscription. */
  readonly today: SubscriptionTermsFragment | null;
};

/** Lists the charged, declined, unpaid and credited amounts in sentences. */
function Outcome({ preview }: Pick<Props, 'preview'>) {
  const { preview: words } = useCommandWords();
  const declineText = useDeclineText();
  const { locale } = useKit();
  const { charged, declined, unpaid, fromCredit } = outcomeOf(preview);
  const money = (amounts: typeof charged) =>
    amounts.map(({ amount, currency }) => moneyText(amount, currency, locale)).join(' + ');
  const sentences = [
    charged.length > 0 && words.charged({ amount: money(charged) }),
    unpaid.length > 0 && words.unpaid({ amount: money(unpaid) }),
    fromCredit.length > 0 && words.fromCredit({ amount: money(fromCredit) }),
  ].filter((sentence) => sentence !== false);
  return (
    <Stack gap={2}>
      {declined.map(({ amount, currency, code }) => (
        <Callout key={`${currency}${amount}`} tone="negative">
          {words.declined({ amount: moneyText(amount, currency, locale), reason: declineText(code ?? '') })}
        </Callout>
      ))}
      {(sentences.length === 0 ? [words.nothing] : sentences).map((sentence) => (
        <Text key={sentence} as="p" weight="medium">
          {sentence}
        </Text>
      ))}
    </Stack>
  );
}

/** Shows the old value struck through, followed by the new value. */
const Change = ({ before, after }: { readonly before: string | null; readonly after: string }) => (
  <Row gap={2}>
    {before !== null && before !== after && (
      <Text struck color="muted">
        {before}
      </Text>
    )}
    <Text {...(before !== after && { weight: 'medium' as const })}>{after}</Text>
  </Row>
);

/** Compares the subscription's state after the command with its current state. */
function Afterwards({ preview: { subscription: after }, today }: Props) {
  const { preview: words } = useCommandWords();
  const terms = useTerms();
  const plans = usePlans();
  const settings = useKit();
  if (!after) return null;
  const planName = (id: string) => plans.find((plan) => plan.id === id)?.name ?? id;
  const date = (at: string | null | undefined) => (at ? dateText(at, settings) : words.noNextCharge);
  const period = (of: { start: string; end: string } | null | undefined) =>
    of ? periodText(of.start, of.end, settings) : words.noNextCharge;
  const ends = (of: {
    endDate?: string | null;
    cancelAtPeriodEnd: boolean;
    currentPeriod?: { end: string } | null;
  }) => of.endDate ?? (of.cancelAtPeriodEnd ? of.currentPeriod?.end : null);
  return (
    <FactList
      items={[
        {
          label: words.status,
          value: (
            <Change
              before={today && terms.subscriptionStatus[today.status]}
              after={terms.subscriptionStatus[after.status]}
            />
          ),
        },
        {
          label: words.plan,
          value: <Change before={today?.plan.name ?? null} after={planName(after.planId)} />,
        },
        {
          label: words.period,
          value: <Change before={today && period(today.currentPeriod)} after={period(after.currentPeriod)} />,
        },
        after.status === 'trialing' && after.trialEndsAt
          ? { label: words.trialUntil, value: date(after.trialEndsAt) }
          : null,
        {
          label: words.nextCharge,
          value: <Change before={today && date(today.nextBillingDate)} after={date(after.nextBillingDate)} />,
        },
        ends(after)
          ? {
              label: words.ends,
              value: <Change before={today && date(ends(today))} after={date(ends(after))} />,
            }
          : null,
      ]}
    />
  );
}

/** Lists the features that the customer gains and loses. */
function Features({ preview, today }: Props) {
  const { preview: words } = useCommandWords();
  const { locale } = useKit();
  const plans = usePlans();
  const featuresOf = (id: string | undefined) => plans.find((plan) => plan.id === id)?.features ?? [];
  const nextId = preview.subscription?.planId;
  if (today === null || nextId === undefined || nextId === today.plan.planId) return null;
  const differences = planDifference(featuresOf(today.plan.planId), featuresOf(nextId));
  const amount = (feature: PlanFeature | null) => {
    if (feature === null) return words.off;
    if (feature.unlimited) return words.unlimited;
    return feature.type === 'boolean'
      ? ''
      : words.included({ count: countText(feature.includedAmount ?? 0, locale) });
  };
  const tones = { lost: 'negative', changed: 'info', gained: 'positive' } as const;
  const text = ({ before, after, kind }: FeatureDifference) =>
    kind === 'changed' ? `${amount(before)} → ${amount(after)}` : amount(kind === 'lost' ? before : after);
  return differences.length === 0 ? null : (
    <Stack gap={2}>
      <Heading level={4}>{words.features}</Heading>
      {differences.map((difference) => (
        <Row key={difference.code} gap={2}>
          <Badge tone={tones[difference.kind]}>{words[difference.kind]}</Badge>
          <Text size="sm">{difference.name}</Text>
          <Text size="sm" color="muted">
            {text(difference)}
          </Text>
        </Row>
      ))}
    </Stack>
  );
}

/** Preview of a command: charges, resulting subscription, documents, features, and events. */
export function PreviewPanel({ preview, today }: Props) {
  const { preview: words } = useCommandWords();
  return (
    <Stack gap={4}>
      <Outcome preview={preview} />
      <Afterwards preview={preview} today={today} />
      <Features preview={preview} today={today} />
      {preview.invoices.map((invoice, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: invoices to come have no id and a fixed place.
        <InvoicePreview key={index} invoice={invoice} />
      ))}
      {preview.events.length > 0 && (
        <Text size="sm" color="muted">
          {words.events({ count: preview.events.length })}: {preview.events.map(eventName).join(', ')}
        </Text>
      )}
    </Stack>
  );
}
