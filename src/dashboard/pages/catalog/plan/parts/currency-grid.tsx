import { moneyInput, parseMoney, parseRate, rateInput } from '../../../../../ui/format/money.ts';
import { currencyText } from '../../../../../ui/format/names.ts';
import { numberFormat } from '../../../../../ui/format/numbers.ts';
import { type AmountCell, AmountGrid } from '../../../../kit/amount-grid.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import { featureFields } from '../../../../parts/catalog/model/feature-fields.ts';
import { regionalAmount } from '../../../../parts/catalog/model/place.ts';
import {
  basePrices,
  type FeatureDraft,
  type PlanDraft,
  type PriceDraft,
  withFeature,
  withPrice,
  withRate,
} from '../../../../parts/catalog/model/plan-draft.ts';
import { unitPriceIn } from '../../../../parts/catalog/pricing-card.tsx';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';

type Column =
  | { readonly kind: 'rate' }
  | { readonly kind: 'price'; readonly price: PriceDraft }
  | { readonly kind: 'feature'; readonly feature: FeatureDraft };

/** Parses a typed number with a decimal point or comma. `null` if it isn't a positive number. */
function numberOf(text: string): number | null {
  const value = Number(text.trim().replace(',', '.'));
  return text.trim() !== '' && Number.isFinite(value) && value > 0 ? value : null;
}

/** Formats an exchange rate with the decimal separator of the locale and without thousands separators. */
const rateTextOf = (rate: number, locale: string): string =>
  numberFormat(locale, { maximumFractionDigits: 8, useGrouping: false }).format(rate);

const without = <Value,>(values: Readonly<Record<string, Value>>, key: string): Record<string, Value> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => name !== key));

/** Returns the plan with the changed cell, or the same plan if the text isn't an amount. */
function changed(
  draft: PlanDraft,
  column: Column,
  currency: string,
  text: string,
  locale: string,
): PlanDraft {
  if (column.kind === 'price') {
    const price = draft.prices.find(({ id }) => id === column.price.id) ?? column.price;
    if (text.trim() === '') return withPrice(draft, price.id, { typed: without(price.typed, currency) });
    const amount = parseMoney(text, currency, locale);
    const before = price.typed[currency] ?? { includedBalance: null };
    return amount === null || amount < 0
      ? draft
      : withPrice(draft, price.id, { typed: { ...price.typed, [currency]: { ...before, price: amount } } });
  }
  if (column.kind === 'rate') {
    const rate = numberOf(text);
    return rate === null ? draft : withRate(draft, currency, rate);
  }
  const feature =
    draft.features.find(({ featureId }) => featureId === column.feature.featureId) ?? column.feature;
  const rate = parseRate(text, locale);
  return rate === null || rate < 0
    ? draft
    : withFeature(draft, feature.featureId, { typed: { ...feature.typed, [currency]: rate } });
}

type CurrencyGridProps = PartProps & { readonly currencies: readonly string[] };

/** Grid with one row per currency and columns for the exchange rate, prices and unit prices. */
export function CurrencyGrid({ draft, currencies, onChange }: CurrencyGridProps) {
  const { world: words } = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const columns: Column[] = [
    { kind: 'rate' },
    ...basePrices(draft).map((price): Column => ({ kind: 'price', price })),
    ...draft.features
      .filter((feature) => featureFields(feature, draft).includes('unitPrice') && feature.unitPrice !== null)
      .map((feature): Column => ({ kind: 'feature', feature })),
  ];
  const cell = (column: Column, currency: string): AmountCell => {
    const rate = draft.rates[currency];
    if (column.kind === 'rate')
      return { text: rate === undefined ? '' : rateTextOf(rate, locale), isDerived: false };
    if (column.kind === 'price') {
      const found = regionalAmount(draft, column.price, currency);
      return {
        text: found === null ? '' : moneyInput(found.amount, currency, locale),
        isDerived: found?.isTyped === false,
      };
    }
    const amount = unitPriceIn(draft, column.feature, currency);
    // Unit prices are editable only in currencies with an exchange rate.
    return {
      text: amount === null ? '' : rateInput(amount, locale),
      isDerived: column.feature.typed[currency] === undefined,
      isLocked: rate === undefined,
    };
  };
  const isRight = (column: Column, currency: string, text: string): boolean => {
    if (column.kind === 'rate') return numberOf(text) !== null;
    if (column.kind === 'price') return text.trim() === '' || parseMoney(text, currency, locale) !== null;
    return parseRate(text, locale) !== null;
  };
  const titleOf = (column: Column) => {
    if (column.kind === 'rate') return words.rate;
    if (column.kind === 'feature') return words.unitPriceOf({ feature: column.feature.name });
    return common.intervals[column.price.interval];
  };
  return (
    <AmountGrid
      label={words.byCurrency}
      corner={words.currency}
      columns={columns.map((column) => ({
        id:
          column.kind === 'rate'
            ? 'rate'
            : column.kind === 'price'
              ? column.price.id
              : column.feature.featureId,
        title: titleOf(column),
      }))}
      rows={currencies.map((currency) => ({
        id: currency,
        title: currency.toUpperCase(),
        help: currencyText(currency, locale),
        cells: columns.map((column) => cell(column, currency)),
      }))}
      check={(row, column, text) => {
        const [at, currency] = [columns[column], currencies[row]];
        return at !== undefined && currency !== undefined && isRight(at, currency, text);
      }}
      onChange={(changes) => {
        let next = draft;
        for (const { row, column, text } of changes) {
          const [at, currency] = [columns[column], currencies[row]];
          if (at === undefined || currency === undefined) continue;
          next = changed(next, at, currency, text, locale);
        }
        if (next !== draft) onChange(next);
      }}
    />
  );
}
