import { divideRounded } from '../../../../domain/money/money.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Count, Money, Rate } from '../../../kit/values.tsx';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogCreditPacksDocument } from './page.graphql';

const PackSheet = lazyPart(() => import('./pack-sheet.tsx').then((module) => module.PackSheet));

/** Returns the price of one credit in a pack, as a rounded rate. The pack's price is in US cents. */
const perCredit = (price: number, credits: number): bigint =>
  divideRounded(BigInt(price) * 100n, BigInt(credits));

/** Lists credit packs, which subscribers of plans with credits can purchase. */
export default function CreditPacksPage() {
  const words = useWords('packs');
  const common = useWords('catalog');
  const data = useData(CatalogCreditPacksDocument, {});
  const { list, opened, ends } = useCatalogPage('creditPacks', words, data, data.data?.creditPacks.nodes);
  return (
    <CatalogList
      {...list}
      textOf={({ name, description }) => `${name} ${description ?? ''}`}
      columns={[
        {
          id: 'name',
          title: common.name,
          cell: ({ id, name }) => <Link href={addressOf('creditPacks', null, { open: id })}>{name}</Link>,
        },
        {
          id: 'state',
          title: words.state,
          cell: ({ isActive }) => (
            <Status tone={isActive ? 'positive' : 'neutral'}>
              {isActive ? words.onSale : words.offSale}
            </Status>
          ),
        },
        {
          id: 'credits',
          title: words.credits,
          align: 'end',
          cell: ({ credits }) => <Count value={credits} />,
        },
        {
          id: 'price',
          title: words.price,
          align: 'end',
          cell: ({ price, currency }) => <Money minor={price} currency={currency} />,
        },
        {
          id: 'each',
          title: words.each,
          align: 'end',
          priority: 'secondary',
          cell: ({ price, credits, currency }) => (
            <Rate rate={perCredit(price, credits)} currency={currency} />
          ),
        },
      ]}
    >
      {opened !== undefined && <PackSheet key={opened?.id} pack={opened} {...ends} />}
    </CatalogList>
  );
}
