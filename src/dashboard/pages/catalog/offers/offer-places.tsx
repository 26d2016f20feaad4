import { moneyText } from '../../../../ui/format/money.ts';
import { addressOf } from '../../../address.ts';
import { useData } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Row, Stack } from '../../../kit/layout.tsx';
import { Link } from '../../../kit/link.tsx';
import { useKit } from '../../../kit/provider.tsx';
import { Heading, Text } from '../../../kit/text.tsx';
import { isForPromoCode, type PhaseDraft } from '../../../parts/catalog/model/phases.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogOfferPlacesDocument } from './page.graphql';

type OfferPlacesProps = {
  readonly offer: { readonly id: string; readonly applied: number; readonly quoted: number };
  readonly phases: readonly PhaseDraft[];
};

/**
 * Lists the prices, promo codes and card promotions that use an offer, and the number of times that the offer was
 * applied.
 */
export function OfferPlaces({ offer, phases }: OfferPlacesProps) {
  const { places: words } = useWords('offers');
  const common = useWords('catalog');
  const { locale } = useKit();
  const { data } = useData(CatalogOfferPlacesDocument, { id: offer.id });
  const prices = (data?.plans.nodes ?? []).flatMap((plan) =>
    plan.prices
      .filter(({ offerId, inheritsFromPriceId }) => offerId === offer.id && inheritsFromPriceId === null)
      .map((price) => ({ ...price, plan })),
  );
  const savings = data?.offer.savings ?? [];
  const codes = data?.promoCodes.nodes ?? [];
  const promotions = (data?.cardPromotions.nodes ?? []).filter(({ offerId }) => offerId === offer.id);
  const isRetention = data?.retentionOffer?.id === offer.id;
  const isPlaced = isRetention || prices.length + codes.length + promotions.length > 0;
  return (
    <Stack gap={3}>
      <Heading level={3}>{words.title}</Heading>
      <Text color="muted">{words.uses({ applied: offer.applied, quoted: offer.quoted })}</Text>
      {savings.length > 0 && (
        <Text color="muted">
          {words.saved({
            amounts: savings.map(({ amount, currency }) => moneyText(amount, currency, locale)).join(', '),
          })}
        </Text>
      )}
      {data !== null && !isPlaced && <Text color="muted">{words.nowhere}</Text>}
      {prices.map(({ id, plan, billingInterval }) => (
        <Link key={id} href={addressOf('plan', { id: plan.id })}>
          {words.price({ plan: plan.name, interval: common.intervals[billingInterval] })}
        </Link>
      ))}
      {codes.map(({ id, code, isActive, redemptionCount }) => (
        <Row key={id} gap={2}>
          <Link href={addressOf('promoCodes', null, { open: id })}>
            {words.code({ code, redeemed: redemptionCount })}
          </Link>
          {!isActive && <Badge>{words.off}</Badge>}
        </Row>
      ))}
      {promotions.map(({ id, bins }) => (
        <Link key={id} href={addressOf('cardPromotions', null, { open: id })}>
          {words.cards({ count: bins.length })}
        </Link>
      ))}
      {isRetention && <Text>{words.retention}</Text>}
      {isForPromoCode(phases) && (
        <Link href={addressOf('promoCodes', null, { open: 'new', offer: offer.id })}>{words.makeCodes}</Link>
      )}
    </Stack>
  );
}
