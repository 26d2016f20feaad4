import { useState } from 'react';
import { Stack } from '../../../../kit/layout.tsx';
import { NumberField } from '../../../../kit/number-field.tsx';
import { Section } from '../../../../kit/page.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { ComboBox, Select } from '../../../../kit/select.tsx';
import { InvoicePreview } from '../../../../parts/catalog/invoice-preview.tsx';
import { exampleInvoice } from '../../../../parts/catalog/model/first-invoice.ts';
import { marketOf, priceInCountry } from '../../../../parts/catalog/model/place.ts';
import { rateIn } from '../../../../parts/catalog/model/place-rate.ts';
import { basePrices, isNew, variantsOf } from '../../../../parts/catalog/model/plan-draft.ts';
import { PricingCard, unitPriceIn } from '../../../../parts/catalog/pricing-card.tsx';
import { useWords } from '../../../../words/words.ts';
import { offerText } from '../../offers/offer-text.ts';
import type { PartProps } from './catalog-objects.ts';
import { StoredPrice } from './stored-price.tsx';
import { VisitorSteps } from './visitor-steps.tsx';

const anywhere = 'any';

/** Shows the plan as a visitor from a country sees it, with the first invoice for example usage. */
export function PreviewPart({ draft, surroundings }: Pick<PartProps, 'draft' | 'surroundings'>) {
  const words = useWords('plan');
  const common = useWords('catalog');
  const offerWords = useWords('offers');
  const { locale } = useKit();
  const [priceId, setPriceId] = useState<string | null>(null);
  const [code, setCode] = useState(anywhere);
  const [use, setUse] = useState<Readonly<Record<string, number>>>({});
  const bases = basePrices(draft);
  const choices = bases.flatMap((base) => [base, ...variantsOf(draft, base.id)]);
  const price =
    choices.find(({ id }) => id === priceId) ?? bases.find(({ isDefault }) => isDefault) ?? bases[0];
  const country = surroundings.countries.find((one) => one.code === code) ?? null;
  const found =
    price === undefined || country === null
      ? null
      : priceInCountry(draft, price, country, surroundings.markets);
  const currency = found?.currency ?? 'usd';
  const marketId = (country === null ? undefined : marketOf(surroundings.markets, country))?.id ?? null;
  const base = draft.prices.find(({ id }) => id === price?.baseId) ?? price;
  const offer = surroundings.offers.find(({ id }) => id === base?.offerId);
  const counted = draft.features.filter(
    (feature) =>
      feature.type !== 'boolean' && feature.overageEnabled && !feature.unlimited && feature.enabled,
  );
  return (
    <Section title={words.preview.title}>
      <Stack gap={4}>
        {choices.length > 1 && (
          <Select
            label={words.preview.price}
            value={price?.id ?? null}
            onChange={setPriceId}
            options={choices.map(({ id, interval, baseId, label }) => ({
              value: id,
              label:
                baseId === null
                  ? common.intervals[interval]
                  : words.prices.variantOf({
                      name: label || words.prices.unnamed,
                      interval: common.intervals[interval],
                    }),
            }))}
          />
        )}
        {!draft.isFree && (
          <ComboBox
            label={words.preview.visitor}
            value={code}
            onChange={(next) => setCode(next ?? anywhere)}
            options={[
              { value: anywhere, label: words.preview.anywhere },
              ...surroundings.countries.map((one) => ({ value: one.code, label: one.name })),
            ]}
          />
        )}
        <PricingCard
          plan={draft}
          price={price}
          country={country}
          markets={surroundings.markets}
          introduction={offer === undefined ? null : offerText(offer.phases, offerWords, locale)}
        />
        {found !== null && <VisitorSteps steps={found.steps} />}
        {found !== null && price !== undefined && !isNew(price) && (
          <StoredPrice planId={draft.id} priceId={price.id} country={code} draft={found} />
        )}
        {counted.map((feature) => (
          <NumberField
            key={feature.featureId}
            label={words.preview.use({ feature: feature.name })}
            value={use[feature.code] ?? feature.includedAmount}
            minValue={0}
            onChange={(value) => setUse({ ...use, [feature.code]: Number.isNaN(value) ? 0 : value })}
          />
        ))}
        {price !== undefined && (
          <InvoicePreview
            plan={draft.name}
            invoice={exampleInvoice(
              draft,
              price,
              {
                amount: found?.amount ?? price.price,
                currency,
                unitPriceOf: (feature) => unitPriceIn(draft, feature, currency),
                rateOf: (feature) => rateIn(draft, feature, currency, marketId),
                phases: offer?.phases ?? [],
              },
              use,
            )}
          />
        )}
      </Stack>
    </Section>
  );
}
