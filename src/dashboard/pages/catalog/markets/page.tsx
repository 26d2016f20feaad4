import { moneyText } from '../../../../ui/format/money.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Card, Row } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Table } from '../../../kit/table.tsx';
import { Text } from '../../../kit/text.tsx';
import { Count } from '../../../kit/values.tsx';
import { perInterval } from '../../../parts/catalog/interval-text.ts';
import { language } from '../../../words/language.ts';
import { useWords, type Words } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogMarketsDocument, CatalogMarketUseDocument } from './page.graphql';

const MarketSheet = lazyPart(() => import('./market-sheet.tsx').then((module) => module.MarketSheet));

/** Maximum number of countries listed by name in a row. */
const maxCountries = 6;

/** Lists the first countries by name, followed by the number of other countries. */
function countriesText(words: Words['markets'], countries: readonly string[]): string {
  const names = countries.slice(0, maxCountries).join(', ');
  return countries.length <= maxCountries
    ? names
    : words.list({ names, more: countries.length - maxCountries });
}

/** Lists markets (groups of countries that share prices) and their prices in each plan. */
export default function MarketsPage() {
  const words = useWords('markets');
  const common = useWords('catalog');
  const { locale } = useKit();
  const data = useData(CatalogMarketsDocument, { language });
  const use = useData(CatalogMarketUseDocument, {});
  const rows = data.data?.markets.nodes ?? [];
  const countries = data.data?.countries ?? [];
  const names = new Map(countries.map(({ code, name }) => [code, name]));
  const prices = (use.data?.plans.nodes ?? []).flatMap((plan) =>
    plan.prices.flatMap(({ id, billingInterval, marketPrices }) =>
      marketPrices.map((amount) => ({
        key: `${id} ${amount.marketGroupId}`,
        plan,
        billingInterval,
        ...amount,
      })),
    ),
  );
  const countOf = (id: string) => prices.filter(({ marketGroupId }) => marketGroupId === id).length;
  const { list, opened, ends } = useCatalogPage('prices', words, data, rows);
  return (
    <CatalogList
      {...list}
      textOf={({ name, countryCodes }) =>
        `${name} ${countryCodes.map((code) => names.get(code) ?? code).join(' ')}`
      }
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('prices', null, { open: id })}>{name}</Link>,
        },
        {
          id: 'countries',
          title: words.countriesTitle,
          cell: ({ countryCodes }) => (
            <Text color="muted">
              {countriesText(
                words,
                countryCodes.map((code) => names.get(code) ?? code),
              )}
            </Text>
          ),
        },
        {
          id: 'prices',
          title: words.prices,
          align: 'end',
          cell: ({ id }) => (use.data === null ? null : <Count value={countOf(id)} />),
        },
      ]}
    >
      {prices.length > 0 && (
        <Card title={words.byPlan} padding="none">
          <Table
            label={words.byPlan}
            rows={prices}
            rowKey={({ key }) => key}
            columns={[
              {
                id: 'plan',
                title: words.plan,
                cell: ({ plan }) => <Link href={addressOf('plan', { id: plan.id })}>{plan.name}</Link>,
              },
              {
                id: 'market',
                title: words.market,
                cell: ({ marketGroupId }) =>
                  rows.find(({ id }) => id === marketGroupId)?.name ?? <Text color="faint">–</Text>,
              },
              {
                id: 'price',
                title: words.price,
                align: 'end',
                cell: ({ price, currency, billingInterval }) =>
                  perInterval(common, moneyText(price, currency, locale), billingInterval),
              },
            ]}
          />
        </Card>
      )}
      {rows.length > 0 && (
        <Row gap={2}>
          <Text size="sm" color="muted">
            {words.note}
          </Text>
        </Row>
      )}
      {opened !== undefined && (
        <MarketSheet
          key={opened?.id}
          market={opened}
          markets={rows}
          countries={countries}
          priceCount={opened === null ? 0 : countOf(opened.id)}
          {...ends}
        />
      )}
    </CatalogList>
  );
}
