import { divideRounded } from '../../../../domain/money/money.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Status } from '../../../kit/badge.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Money, Rate } from '../../../kit/values.tsx';
import { unitAmountText, useUnits } from '../../../parts/units.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogCreditPacksDocument } from './page.graphql';

const PackSheet = lazyPart(() => import('./pack-sheet.tsx').then((module) => module.PackSheet));

/** Returns the price of one unit in a pack, as a rounded rate. The pack's price is in US cents. */
const perUnit = (price: number, amount: number, decimals: number): bigint =>
  divideRounded(BigInt(price) * 100n * 10n ** BigInt(decimals), BigInt(amount));

/** Lists packs of credits and custom units, which subscribers of plans with a pool of the unit can purchase. */
export default function CreditPacksPage() {
  const words = useWords('packs');
  const common = useWords('catalog');
  const data = useData(CatalogCreditPacksDocument, {});
  const packs = data.data?.creditPacks.nodes;
  const units = useUnits((packs ?? []).map(({ asset }) => asset ?? 'credits'));
  const { locale } = useKit();
  const { list, opened, ends } = useCatalogPage('creditPacks', words, data, packs);
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
          title: words.amount,
          align: 'end',
          cell: ({ asset, credits }) =>
            asset === null
              ? words.creditsOf({ count: credits })
              : unitAmountText(asset, credits, units, locale),
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
          cell: ({ asset, price, credits, currency }) => (
            <Rate
              rate={perUnit(price, credits, units.find(({ code }) => code === asset)?.decimals ?? 0)}
              currency={currency}
            />
          ),
        },
      ]}
    >
      {opened !== undefined && <PackSheet key={opened?.id} pack={opened} {...ends} />}
    </CatalogList>
  );
}
