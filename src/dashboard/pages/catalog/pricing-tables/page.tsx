import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogPricingTablesDocument } from './page.graphql';

const TableSheet = lazyPart(() => import('./table-sheet.tsx').then((module) => module.TableSheet));

/** Lists pricing tables, which are public pages where visitors can purchase plans. */
export default function PricingTablesPage() {
  const words = useWords('pricingtables');
  const common = useWords('catalog');
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
            <Text>{planGroupId === null ? words.planCount({ count: plans.length }) : words.ofGroup}</Text>
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
