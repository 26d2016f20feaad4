import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Callout } from '../../../kit/callout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Link } from '../../../kit/link.tsx';
import { Text } from '../../../kit/text.tsx';
import { DateText } from '../../../kit/values.tsx';
import { isForCards, type PhaseAnswer, phaseDrafts } from '../../../parts/catalog/model/phases.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogList } from '../parts/catalog-list.tsx';
import { useCatalogPage } from '../parts/use-catalog-page.ts';
import { CatalogCardPromotionsDocument } from './page.graphql';

const PromotionSheet = lazyPart(() =>
  import('./promotion-sheet.tsx').then((module) => module.PromotionSheet),
);

export default function CardPromotionsPage() {
  const words = useWords('cards');
  const common = useWords('catalog');
  const data = useData(CatalogCardPromotionsDocument, {});
  const rows = data.data?.cardPromotions.nodes ?? [];
  const offers = (data.data?.offers.nodes ?? []).filter(({ phases }) =>
    isForCards(phaseDrafts(phases as readonly PhaseAnswer[])),
  );
  const isAvailable = data.data?.organization.cardPromotions === true;
  const { list, opened, ends } = useCatalogPage('cardPromotions', words, data, rows);
  return (
    <CatalogList
      {...list}
      {...(isAvailable ? {} : { make: undefined })}
      {...(data.data !== null &&
        !isAvailable && { tools: <Callout tone="info">{words.notAvailable}</Callout> })}
      textOf={({ offer, bins }) => `${offer.name} ${bins.join(' ')}`}
      columns={[
        {
          id: 'offer',
          title: words.offer,
          cell: ({ id, offer }) => (
            <Link href={addressOf('cardPromotions', null, { open: id })}>{offer.name}</Link>
          ),
        },
        {
          id: 'bins',
          title: words.bins,
          cell: ({ bins }) => (
            <Text code>
              {bins.length > 3
                ? words.moreBins({ bins: bins.slice(0, 3).join(', '), more: bins.length - 3 })
                : bins.join(', ')}
            </Text>
          ),
        },
        {
          id: 'found',
          title: words.discovered,
          priority: 'secondary',
          cell: ({ autoDiscovered }) => (
            <Badge tone={autoDiscovered ? 'positive' : 'neutral'}>
              {autoDiscovered ? words.byCard : words.named}
            </Badge>
          ),
        },
        {
          id: 'interval',
          title: words.interval,
          priority: 'secondary',
          cell: ({ billingInterval }) =>
            billingInterval === null ? words.everyInterval : common.intervals[billingInterval],
        },
        {
          id: 'created',
          title: words.created,
          align: 'end',
          priority: 'secondary',
          cell: ({ createdAt }) => <DateText at={createdAt} />,
        },
      ]}
    >
      {opened !== undefined && (opened !== null || isAvailable) && (
        <PromotionSheet
          key={opened?.id}
          promotion={opened}
          offers={
            opened === null || offers.some(({ id }) => id === opened.offerId)
              ? offers
              : [...offers, opened.offer]
          }
          {...ends}
        />
      )}
    </CatalogList>
  );
}
