import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { Copy } from '../../../kit/copy.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Count } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogAssetsDocument } from './page.graphql';

const AssetSheet = lazyPart(() => import('./asset-sheet.tsx').then((module) => module.AssetSheet));

/** Lists the custom units in which plans can include a pool. Credits always exist and can't be changed. */
export default function AssetsPage() {
  const words = useWords('assets');
  const common = useWords('catalog');
  const data = useData(CatalogAssetsDocument, {});
  const { list, opened, ends } = useCatalogPage('assets', words, data, data.data?.assets);
  return (
    <CatalogList
      {...list}
      textOf={({ name, code }) => `${name} ${code}`}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name, createdAt }) =>
            createdAt === null ? name : <Link href={addressOf('assets', null, { open: id })}>{name}</Link>,
        },
        { id: 'code', title: common.code, cell: ({ code }) => <Copy value={code} /> },
        {
          id: 'symbol',
          title: words.symbol,
          priority: 'secondary',
          cell: ({ symbol }) => symbol ?? '–',
        },
        {
          id: 'state',
          title: words.state,
          cell: ({ archivedAt }) => (
            <Status tone={archivedAt === null ? 'positive' : 'neutral'}>
              {archivedAt === null ? words.active : words.archived}
            </Status>
          ),
        },
        {
          id: 'decimals',
          title: words.decimals,
          align: 'end',
          cell: ({ decimals }) => <Count value={decimals} />,
        },
      ]}
    >
      {opened !== undefined && opened?.createdAt !== null && (
        <AssetSheet key={opened?.id} asset={opened} {...ends} />
      )}
    </CatalogList>
  );
}
