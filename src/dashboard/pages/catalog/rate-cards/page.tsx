import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Copy } from '../../../kit/copy.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { Count, DateText } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { PageButtons, useSearchedPages } from '../parts/searched-pages.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogRateCardsDocument, CatalogRateCardUseDocument } from './page.graphql';

const CardSheet = lazyPart(() => import('./card-sheet.tsx').then((module) => module.CardSheet));

/** Lists saved rate cards with the plans whose features refer to them. */
export default function RateCardsPage() {
  const words = useWords('rateCards');
  const common = useWords('catalog');
  const { after, pages, setPages } = useSearchedPages();
  const data = useData(CatalogRateCardsDocument, { after });
  const use = useData(CatalogRateCardUseDocument, {});
  const { list, opened, ends } = useCatalogPage('rateCards', words, data, data.data?.rateCards.nodes);
  const plansWith = (card: string) =>
    use.data?.plans.nodes.filter((plan) =>
      plan.featureTerms.some(({ rateCard }) => rateCard?.rateCardId === card),
    ) ?? null;
  return (
    <CatalogList
      {...list}
      textOf={({ name, code }) => `${name} ${code}`}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('rateCards', null, { open: id })}>{name}</Link>,
        },
        { id: 'code', title: common.code, priority: 'secondary', cell: ({ code }) => <Copy value={code} /> },
        {
          id: 'use',
          title: words.usedIn,
          cell: ({ id }) => {
            const plans = plansWith(id);
            if (plans === null) return null;
            return plans.length === 0 ? (
              <Text color="faint">{words.unused}</Text>
            ) : (
              plans.map(({ name }) => name).join(', ')
            );
          },
        },
        {
          id: 'cells',
          title: words.prices,
          align: 'end',
          cell: ({ cells, default: other }) => <Count value={cells.length + (other === null ? 0 : 1)} />,
        },
        {
          id: 'version',
          title: words.version,
          align: 'end',
          priority: 'secondary',
          cell: ({ version }) => <Count value={version} />,
        },
        {
          id: 'updated',
          title: words.changed,
          align: 'end',
          priority: 'secondary',
          cell: ({ updatedAt }) => <DateText at={updatedAt} />,
        },
      ]}
    >
      <PageButtons pages={pages} setPages={setPages} info={data.data?.rateCards.pageInfo} />
      {opened !== undefined && (
        <CardSheet
          key={opened?.id}
          card={opened}
          plans={opened === null ? [] : plansWith(opened.id)}
          {...ends}
        />
      )}
    </CatalogList>
  );
}
