import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { useAllWords } from '../../../parts/catalog/use-all-words.ts';
import type { catalog } from '../../../words/en/catalog.ts';
import type { pricingtables } from '../../../words/en/pricingtables.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogPricingTablesDocument } from './page.graphql';

const TableSheet = lazyPart(() => import('./table-sheet.tsx').then((module) => module.TableSheet));

const areas = ['pricingtables', 'catalog', 'titles'];

/** Plans on pages that anybody can open and buy from. */
export default function PricingTablesPage() {
  useAllWords(areas);
  const words = useWords<typeof pricingtables>('pricingtables');
  const common = useWords<typeof catalog>('catalog');
  const data = useData(CatalogPricingTablesDocument, {});
  const { list, opened, ends } = useCatalogPage('pricingTables', words, data, data.data?.pricingTables.nodes);
  return (
    <CatalogList
      {...list}
      textOf={({ name }) => name}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('pricingTables', null, { open: id })}>{name}</Link>,
        },
        {
          id: 'state',
          title: words.state,
          cell: ({ isActive }) => (
            <Status tone={isActive ? 'positive' : 'neutral'}>{isActive ? words.on : words.off}</Status>
          ),
        },
        {
          id: 'plans',
          title: words.source,
          cell: ({ planGroupId, plans }) => (
            <Text>{planGroupId === null ? words.planCount(plans.length) : words.ofGroup}</Text>
          ),
        },
        {
          id: 'page',
          title: words.page,
          cell: ({ url }) => <Copy value={url} />,
        },
        {
          id: 'created',
          title: words.created,
          priority: 'secondary',
          cell: ({ createdAt }) => <DateText at={createdAt} />,
        },
      ]}
    >
      {opened !== undefined && <TableSheet key={opened?.id} table={opened} {...ends} />}
    </CatalogList>
  );
}
