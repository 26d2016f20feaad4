import CheckIcon from 'lucide-react/icons/check';
import { clauseTexts } from '../../../domain/rates/clause-texts.ts';
import { type Rate, rateDocument } from '../../../domain/rates/rate.ts';
import { amountText, moneyText, rateText } from '../../../ui/format/money.ts';
import { countText } from '../../../ui/format/numbers.ts';
import { Badge } from '../../kit/badge.tsx';
import { Divider, Paper, Row, Stack } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { useWords, type Words } from '../../words/words.ts';
import { CellTable } from './cell-table.tsx';
import { perInterval } from './interval-text.ts';
import { convertedRate } from './model/exchange.ts';
import { featureFields, modelOf } from './model/feature-fields.ts';
import { type CountryCurrency, type MarketCountries, marketOf, priceInCountry } from './model/place.ts';
import { cellsIn, rateIn } from './model/place-rate.ts';
import type { FeatureDraft, PlanDraft, PriceDraft } from './model/plan-draft.ts';
import { TierTable } from './tier-table.tsx';

type CatalogWords = Words['catalog'];

/** Currency and market of a visitor. `marketId` is `null` if the visitor is in none of the markets. */
type Place = { readonly currency: string; readonly marketId: string | null };

/** Returns the price of a unit above the included amount. `null` if the unit is free. */
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

/** Describes a feature for customers, such as "10,000 API calls, then $0.002 each". */
function featureText(
  words: CatalogWords,
  plan: PlanDraft,
  feature: FeatureDraft,
  { currency, marketId }: Place,
  locale: string,
): string {
  const { card } = words;
  const unit = feature.unitName || card.unit;
  const hasTiers = rateIn(plan, feature, currency, marketId) !== null;
  const model = modelOf(feature, plan);
  if (feature.type === 'boolean') return feature.name;
  if (feature.unlimited) return card.unlimited({ feature: feature.name });
  const price = unitPriceIn(plan, feature, currency);
  const each = price === null ? null : rateText(price, currency, locale);
  if (feature.card !== null && model !== 'metered') return card.byDimension({ feature: feature.name });
  if (model === 'credits')
    return card.credits({ feature: feature.name, count: feature.creditsPerUnit ?? 0, unit });
  if (feature.derived !== null && feature.pricingMode === 'fixed')
    return card.fromCost({ feature: feature.name });
  if (model === 'balance' && feature.pricingMode === 'fixed' && hasTiers)
    return card.fromBalanceTiers({ feature: feature.name });
  if (model === 'balance')
    return feature.pricingMode === 'ai_model' || each === null
      ? card.byModel({ feature: feature.name })
      : card.fromBalance({ feature: feature.name, price: each, unit });
  const included = card.included({ count: countText(feature.includedAmount, locale), feature: feature.name });
  if (feature.overageEnabled && feature.card !== null) return card.thenDimension({ included });
  if (feature.overageEnabled && hasTiers) return card.thenTiers({ included });
  return feature.overageEnabled && each !== null ? card.then({ included, price: each }) : included;
}

/** Returns the rate whose tiers are shown below a feature. `null` if the text of the feature contains its whole price. */
function tiersOf(plan: PlanDraft, feature: FeatureDraft, { currency, marketId }: Place): Rate | null {
  const fields = featureFields(feature, plan);
  const isSold = fields.includes('overage') ? feature.overageEnabled && !feature.unlimited : true;
  return fields.includes('unitPrice') && isSold ? rateIn(plan, feature, currency, marketId) : null;
}

type PricingCardProps = {
  readonly plan: PlanDraft;
  readonly price: PriceDraft | undefined;
  /** Country of the visitor, which determines the currency. Defaults to US dollars. */
  readonly country?: CountryCurrency | null;
  readonly markets?: readonly MarketCountries[];
  /** Text of the introductory offer, which replaces the trial. */
  readonly introduction?: string | null;
};

const noMarkets: readonly MarketCountries[] = [];

/** Plan as shown to customers on a pricing page, in the visitor's currency. */
export function PricingCard({
  plan,
  price,
  country = null,
  markets = noMarkets,
  introduction = null,
}: PricingCardProps) {
  const words = useWords('catalog');
  const { clauses } = useWords('plan').rate;
  const { locale } = useKit();
  const found =
    price === undefined || country === null ? null : priceInCountry(plan, price, country, markets);
  const amount = found?.amount ?? price?.price ?? null;
  const currency = found?.currency ?? 'usd';
  const market = country === null ? undefined : marketOf(markets, country);
  const place = { currency, marketId: market?.id ?? null };
  const formats = {
    amount: (decimal: string) => amountText(decimal, currency, locale),
    bound: (units: number) => countText(units, locale),
  };
  const features = plan.features.filter(({ enabled }) => enabled);
  return (
    <Paper>
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
            <Text color="positive">{words.card.trial({ days: price.trialDays })}</Text>
          )}
          {introduction !== null && <Text color="positive">{introduction}</Text>}
          {price !== undefined && price.minimumSpend !== null && (
            <Text color="muted">
              {words.card.minimumSpend({ amount: moneyText(price.minimumSpend, 'usd', locale) })}
            </Text>
          )}
          {price?.includedCredits ? (
            <Text color="muted">{words.card.creditsIncluded({ count: price.includedCredits })}</Text>
          ) : null}
          {price?.includedBalance ? (
            <Text color="muted">
              {words.card.balanceIncluded({ amount: rateText(price.includedBalance, 'usd', locale) })}
            </Text>
          ) : null}
        </Stack>
        {features.length > 0 && <Divider />}
        <Stack gap={2} as="ul">
          {features.map((feature) => {
            const rate = tiersOf(plan, feature, place);
            return (
              <Row key={feature.featureId} as="li" gap={2} align="start" wrap={false}>
                <Text color="positive">
                  <CheckIcon aria-hidden="true" />
                </Text>
                <Stack gap={1}>
                  <Text>{featureText(words, plan, feature, place, locale)}</Text>
                  {feature.card !== null && !feature.unlimited && (
                    <CellTable
                      label={words.tiers.label({ feature: feature.name })}
                      cells={cellsIn(plan, feature, currency)}
                      isInCredits={modelOf(feature, plan) === 'credits'}
                      currency={currency}
                    />
                  )}
                  {rate !== null && (
                    <>
                      <Text size="sm">{clauseTexts(clauses, rate, formats)}</Text>
                      <TierTable feature={feature.name} rate={rateDocument(rate)} currency={currency} />
                    </>
                  )}
                </Stack>
              </Row>
            );
          })}
        </Stack>
      </Stack>
    </Paper>
  );
}
