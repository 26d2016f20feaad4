import { useState } from 'react';
import { moneyInput, parseMoney } from '../../../../../ui/format/money.ts';
import { countryText } from '../../../../../ui/format/names.ts';
import { type AmountCell, AmountGrid } from '../../../../kit/amount-grid.tsx';
import { useKit } from '../../../../kit/provider.tsx';
import type { MarketCountries } from '../../../../parts/catalog/model/place.ts';
import {
  basePrices,
  type PlanDraft,
  type PriceDraft,
  withPrice,
} from '../../../../parts/catalog/model/plan-draft.ts';
import { useWords } from '../../../../words/words.ts';
import type { PartProps } from './catalog-objects.ts';

/**
 * Returns the price with a changed amount for a market. Empty text removes the amount. Invalid text doesn't change the price.
 */
function withMarket(
  draft: PlanDraft,
  price: PriceDraft,
  { id }: MarketCountries,
  currency: string,
  text: string,
  locale: string,
): PlanDraft {
  const others = Object.fromEntries(Object.entries(price.markets).filter(([key]) => key !== id));
  if (text.trim() === '') return withPrice(draft, price.id, { markets: others });
  const amount = parseMoney(text, currency, locale);
  return amount === null || amount < 0
    ? draft
    : withPrice(draft, price.id, { markets: { ...others, [id]: { currency, price: amount } } });
}

/** Grid with one row per market and one column per price. The first column shows the currency of the market. */
export function MarketGrid({ draft, surroundings, onChange }: PartProps) {
  const { world: words } = useWords('plan');
  const common = useWords('catalog');
  const { locale } = useKit();
  const [chosen, setChosen] = useState<Readonly<Record<string, string>>>({});
  const bases = basePrices(draft);
  const { markets, currencies, countries } = surroundings;
  const known = ['usd', ...currencies];
  const currencyOf = ({ id, countryCodes }: MarketCountries): string =>
    bases.find(({ markets: amounts }) => amounts[id] !== undefined)?.markets[id]?.currency ??
    chosen[id] ??
    countries.find(({ code }) => code === countryCodes[0])?.currency ??
    'usd';
  const inCurrency = (plan: PlanDraft, market: MarketCountries, currency: string): PlanDraft =>
    basePrices(plan).reduce((next, { id, markets: amounts }) => {
      const amount = amounts[market.id];
      return amount === undefined
        ? next
        : withPrice(next, id, { markets: { ...amounts, [market.id]: { ...amount, currency } } });
    }, plan);
  const readCurrency = (text: string) => known.find((code) => code === text.trim().toLowerCase());
  const cells = (market: MarketCountries): AmountCell[] => [
    { text: currencyOf(market).toUpperCase(), isDerived: false },
    ...bases.map(({ markets: amounts }) => {
      const amount = amounts[market.id];
      return {
        text: amount === undefined ? '' : moneyInput(amount.price, amount.currency, locale),
        isDerived: false,
      };
    }),
  ];
  return (
    <AmountGrid
      label={words.byMarket}
      corner={words.market}
      columns={[
        { id: 'currency', title: words.currency },
        ...bases.map(({ id, interval }) => ({ id, title: common.intervals[interval] })),
      ]}
      rows={markets.map((market) => ({
        id: market.id,
        title: market.name,
        help: market.countryCodes.map((code) => countryText(code, locale)).join(', '),
        cells: cells(market),
      }))}
      check={(row, column, text) => {
        const market = markets[row];
        if (market === undefined) return false;
        if (column === 0) return readCurrency(text) !== undefined;
        return text.trim() === '' || parseMoney(text, currencyOf(market), locale) !== null;
      }}
      onChange={(changes) => {
        let next = draft;
        for (const { row, column, text } of changes) {
          const market = markets[row];
          if (market === undefined) continue;
          const currency = column === 0 ? readCurrency(text) : undefined;
          if (currency !== undefined) {
            setChosen((before) => ({ ...before, [market.id]: currency }));
            next = inCurrency(next, market, currency);
            continue;
          }
          const price = next.prices.find(({ id }) => id === bases[column - 1]?.id);
          if (price !== undefined) next = withMarket(next, price, market, currencyOf(market), text, locale);
        }
        if (next !== draft) onChange(next);
      }}
    />
  );
}
