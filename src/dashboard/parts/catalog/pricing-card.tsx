import { CheckIcon } from '@radix-ui/react-icons';
import { moneyText, rateText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { Badge } from '../../kit/badge.tsx';
import { Card, Divider, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import type { catalog } from '../../words/en/catalog.ts';
import type { Translation } from '../../words/words.ts';
import { useWords } from '../../words/words.ts';
import { perInterval } from './interval-text.ts';
import { convertedRate } from './model/exchange.ts';
import { type CountryCurrency, type MarketCountries, priceInCountry } from './model/place.ts';
import type { FeatureDraft, PlanDraft, PriceDraft } from './model/plan-draft.ts';

type Words = Translation<typeof catalog>;

/** What a unit above the included ones costs in a currency; null where it costs nothing. */
export function unitPriceIn(
  plan: Pick<PlanDraft, 'rates'>,
  feature: FeatureDraft,
  currency: string,
): number | null {
  const typed = feature.typed[currency];
  if (typed !== undefined) return typed;
  if (feature.unitPrice === null || currency === 'usd') return feature.unitPrice;
  const rate = plan.rates[currency];
  return rate === undefined ? null : convertedRate(feature.unitPrice, rate);
}

/** A feature as a customer reads it: "10,000 API calls, then $0.002 each". */
function featureText(
  words: Words,
  plan: PlanDraft,
  feature: FeatureDraft,
  currency: string,
  locale: string,
): string {
  const { card } = words;
  const unit = feature.unitName ?? '';
  if (feature.type === 'boolean') return feature.name;
  if (feature.unlimited) return card.unlimited(feature.name);
  const price = unitPriceIn(plan, feature, currency);
  const each = price === null ? null : rateText(price, currency, locale);
  if (feature.type === 'usage' && plan.model === 'credits')
    return card.credits(feature.name, countText(feature.creditsPerUnit ?? 0, locale), unit);
  if (feature.type === 'usage' && plan.model === 'balance')
    return feature.pricingMode === 'ai_model' || each === null
      ? card.byModel(feature.name)
      : card.fromBalance(feature.name, each, unit);
  const included = card.included(countText(feature.includedAmount, locale), feature.name);
  return feature.overageEnabled && each !== null ? card.then(included, each) : included;
}

type PricingCardProps = {
  readonly plan: PlanDraft;
  readonly price: PriceDraft | undefined;
  /** Where the visitor is; US dollars without a country. */
  readonly country?: CountryCurrency | null;
  readonly markets?: readonly MarketCountries[];
  /** What the introductory offer gives, in words; it takes the place of the trial. */
  readonly introduction?: string | null;
};

const noMarkets: readonly MarketCountries[] = [];

/** A plan as customers see it on a pricing page, in the currency of a visitor. */
export function PricingCard({
  plan,
  price,
  country = null,
  markets = noMarkets,
  introduction = null,
}: PricingCardProps) {
  const words = useWords<typeof catalog>('catalog');
  const { locale } = useKit();
  const found =
    price === undefined || country === null ? null : priceInCountry(plan, price, country, markets);
  const amount = found?.amount ?? price?.price ?? null;
  const currency = found?.currency ?? 'usd';
  const features = plan.features.filter(({ enabled }) => enabled);
  return (
    <Card>
      <Stack gap={3}>
        <Row justify="between" gap={2}>
          <Text size="lg" weight="bold">
            {plan.name === '' ? words.card.unnamed : plan.name}
          </Text>
          {!plan.isPublic && <Badge>{words.hidden}</Badge>}
        </Row>
        {plan.description !== '' && <Text color="muted">{plan.description}</Text>}
        <Stack gap={1}>
          <Text size="2xl" weight="bold">
            {plan.isFree
              ? words.free
              : amount === null || price === undefined
                ? words.card.noPrice
                : perInterval(words, moneyText(amount, currency, locale), price.interval)}
          </Text>
          {price !== undefined && price.trialDays > 0 && introduction === null && (
            <Text color="positive">{words.card.trial(price.trialDays)}</Text>
          )}
          {introduction !== null && <Text color="positive">{introduction}</Text>}
          {price?.includedCredits ? (
            <Text color="muted">{words.card.creditsIncluded(countText(price.includedCredits, locale))}</Text>
          ) : null}
          {price?.includedBalance ? (
            <Text color="muted">
              {words.card.balanceIncluded(rateText(price.includedBalance, 'usd', locale))}
            </Text>
          ) : null}
        </Stack>
        {features.length > 0 && <Divider />}
        <Stack gap={2} as="ul">
          {features.map((feature) => (
            <Row key={feature.featureId} as="li" gap={2} align="start" wrap={false}>
              <Text color="positive">
                <CheckIcon aria-hidden="true" />
              </Text>
              <Text>{featureText(words, plan, feature, currency, locale)}</Text>
            </Row>
          ))}
        </Stack>
      </Stack>
    </Card>
  );
}
