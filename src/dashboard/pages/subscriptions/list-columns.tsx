import { useMemo } from 'react';
import { dateText } from '../../../ui/format/dates.ts';
import { Badge } from '../../kit/badge.tsx';
import type { GridColumn } from '../../kit/grid/columns.ts';
import { Row } from '../../kit/layout.tsx';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { DateText, Money } from '../../kit/values.tsx';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { minorOf } from '../../parts/metrics/rates.ts';
import { isOfferRunning } from '../../parts/subscription/offers.ts';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { useTerms } from '../../parts/terms.ts';
import type { SubscriptionRowFragment } from './row.graphql';

type SubscriptionColumn = GridColumn<SubscriptionRowFragment>;

/** Badges for upcoming changes to a subscription. */
function Flags({ row }: { readonly row: SubscriptionRowFragment }) {
  const { flags: words } = useSubscriptionWords();
  const settings = useKit();
  const date = (at: string) => dateText(at, settings);
  const { cancellation, scheduledPlanChange, planGrant, trialEndsAt, status, offerApplications } = row;
  const offer = offerApplications.find(
    (each) => each.status === 'applied' && isOfferRunning(each, settings.now()),
  );
  return (
    <Row gap={1} wrap={false}>
      {cancellation && status !== 'canceled' && (
        <Badge tone="warning">{words.ends({ date: date(cancellation.effectiveAt) })}</Badge>
      )}
      {scheduledPlanChange && (
        <Badge tone="info">
          {words.changes({
            plan: scheduledPlanChange.newPlanName ?? '',
            date: date(scheduledPlanChange.scheduledFor),
          })}
        </Badge>
      )}
      {status === 'trialing' && trialEndsAt && (
        <Badge tone="info">{words.trial({ date: date(trialEndsAt) })}</Badge>
      )}
      {planGrant && <Badge tone="special">{words.grant({ plan: planGrant.plan.name })}</Badge>}
      {offer && <Badge>{words.offer({ name: offer.name })}</Badge>}
    </Row>
  );
}

export function useColumns(): readonly SubscriptionColumn[] {
  const { columns: titles } = useSubscriptionWords();
  const terms = useTerms();
  return useMemo(
    (): SubscriptionColumn[] => [
      {
        id: 'customer',
        title: titles.customer,
        width: 145,
        grow: 2,
        isRequired: true,
        phone: 'title',
        cell: ({ customer }) => (
          <Text size="sm" weight="medium" truncate>
            {customer.fullName || customer.email}
          </Text>
        ),
      },
      {
        id: 'plan',
        title: titles.plan,
        isSortable: true,
        width: 90,
        grow: 1,
        phone: 'line',
        cell: ({ plan }) => (
          <Text size="sm" truncate>
            {plan.name}
          </Text>
        ),
      },
      {
        id: 'status',
        title: titles.status,
        isSortable: true,
        width: 160,
        phone: 'end',
        cell: ({ status }) => <SubscriptionStatus status={status} />,
      },
      {
        id: 'price',
        title: titles.price,
        width: 95,
        align: 'end',
        cell: ({ plan, currency, billingInterval }) =>
          billingInterval === null ? terms.free : <Money minor={plan.basePrice} currency={currency} />,
      },
      {
        id: 'mrr',
        title: titles.mrr,
        isSortable: true,
        width: 95,
        align: 'end',
        cell: ({ mrr, currency }) =>
          mrr !== 0 && <Money minor={minorOf(mrr, currency)} currency={currency} />,
      },
      {
        id: 'interval',
        title: titles.interval,
        width: 95,
        phone: 'line',
        cell: ({ billingInterval }) =>
          billingInterval && (
            <Text size="sm" color="muted">
              {terms.interval[billingInterval]}
            </Text>
          ),
      },
      {
        id: 'periodEnd',
        title: titles.periodEnd,
        isSortable: true,
        width: 115,
        isShown: false,
        cell: ({ currentPeriod }) => currentPeriod && <DateText at={currentPeriod.end} />,
      },
      {
        id: 'nextCharge',
        title: titles.nextCharge,
        width: 115,
        cell: ({ nextBillingDate }) => nextBillingDate && <DateText at={nextBillingDate} />,
      },
      { id: 'flags', title: titles.flags, width: 150, grow: 2, cell: (row) => <Flags row={row} /> },
      {
        id: 'created',
        title: titles.created,
        width: 120,
        isSortable: true,
        isShown: false,
        cell: ({ createdAt }) => <DateText at={createdAt} />,
      },
    ],
    [titles, terms],
  );
}
