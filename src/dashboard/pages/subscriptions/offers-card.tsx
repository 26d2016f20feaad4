import { dateText } from '../../../ui/format/dates.ts';
import { moneyText } from '../../../ui/format/money.ts';
import { basisPointsText } from '../../../ui/format/numbers.ts';
import { useCommandAddress } from '../../commands/actions.tsx';
import { useCommandWords } from '../../commands/fields.tsx';
import { Status } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Card, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { hasOfferEnded, isOfferRunning } from '../../parts/subscription/offers.ts';
import type { SubscriptionTermsFragment } from '../../parts/subscription/terms.graphql';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useTerms } from '../../parts/terms.ts';

type Props = { readonly subscription: SubscriptionTermsFragment };
type Application = SubscriptionTermsFragment['offerApplications'][number];
type Phase = Application['phases'][number];

/** Returns a function that describes a phase of an offer, such as "25% off for 3 periods". */
function usePhaseText(currency: string): (phase: Phase) => string {
  const { phase: words } = useTerms();
  const { locale } = useKit();
  return (phase) => {
    if (phase.__typename === 'SubscriptionFreeTrialPhase')
      return words.free_trial({ days: phase.durationDays });
    const span = phase.durationCycles ? words.cycles({ count: phase.durationCycles }) : words.forever;
    if (phase.__typename === 'SubscriptionPercentagePhase')
      return words.percentage({ share: basisPointsText(phase.percentage, locale), span });
    if (phase.__typename === 'SubscriptionAmountOffPhase')
      return words.amount_off({ amount: moneyText(phase.amount, currency, locale), span });
    return words.fixed_price({ price: moneyText(phase.price, currency, locale), span });
  };
}

const tones = { quoted: 'info', applied: 'positive', expired: 'neutral', failed: 'negative' } as const;

/** Shows an applied offer with its phases and savings. */
function Application({
  application,
  currency,
}: {
  readonly application: Application;
  readonly currency: string;
}) {
  const { page: words } = useSubscriptionWords();
  const terms = useTerms();
  const settings = useKit();
  const phaseText = usePhaseText(application.currency ?? currency);
  const saved = application.discountAmount ?? 0;
  const hasEnded = hasOfferEnded(application, settings.now());
  return (
    <Stack gap={1}>
      <Row justify="between">
        <Text weight="medium">{application.name}</Text>
        <Status tone={hasEnded ? 'neutral' : tones[application.status]}>
          {hasEnded ? words.offerEnded : terms.offerStatus[application.status]}
        </Status>
      </Row>
      {application.phases.map((phase, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: phases have a fixed place.
        <Text key={index} size="sm">
          {phaseText(phase)}
          {phase.endsAt && ` · ${dateText(phase.endsAt, settings)}`}
        </Text>
      ))}
      <Text size="sm" color="muted">
        {terms.offerSource[application.source]}
        {saved > 0 &&
          ` · ${words.saved({ amount: moneyText(saved, application.currency ?? currency, settings.locale) })}`}
      </Text>
    </Stack>
  );
}

export function OffersCard({ subscription }: Props) {
  const { page: words } = useSubscriptionWords();
  const commands = useCommandWords();
  const { open } = useCommandAddress();
  const { offerApplications, status } = subscription;
  const { now } = useKit();
  const isRunning = offerApplications.some((application) => isOfferRunning(application, now()));
  return (
    <Card
      title={words.offers}
      actions={
        status !== 'canceled' && (
          <Button size="sm" onPress={() => open(isRunning ? 'offerRemove' : 'offerApply')}>
            {isRunning ? commands.offerRemove.title : commands.offerApply.title}
          </Button>
        )
      }
    >
      {offerApplications.length === 0 ? (
        <Text color="muted">{words.noOffers}</Text>
      ) : (
        <Stack gap={4}>
          {offerApplications.map((application) => (
            <Application key={application.id} application={application} currency={subscription.currency} />
          ))}
        </Stack>
      )}
    </Card>
  );
}

export function AddonsCard({ subscription }: Props) {
  const { page: words } = useSubscriptionWords();
  const commands = useCommandWords();
  const { open } = useCommandAddress();
  const { locale } = useKit();
  const { nodes } = subscription.addons;
  return (
    <Card
      title={words.addons}
      actions={
        subscription.status !== 'canceled' && (
          <Button size="sm" onPress={() => open('addonActivate')}>
            {commands.addonActivate.title}
          </Button>
        )
      }
    >
      {nodes.length === 0 ? (
        <Text color="muted">{words.noAddons}</Text>
      ) : (
        <Stack gap={3}>
          {nodes.map(({ id, addonId, name, featureName, basePrice, currency }) => (
            <Row key={id} justify="between">
              <Stack gap={0}>
                <Text weight="medium">{name}</Text>
                <Text size="sm" color="muted">
                  {featureName} · {moneyText(basePrice, currency, locale)}
                </Text>
              </Stack>
              <Button size="sm" kind="quiet" onPress={() => open('addonDeactivate', addonId)}>
                {commands.addonDeactivate.verb}
              </Button>
            </Row>
          ))}
        </Stack>
      )}
    </Card>
  );
}
