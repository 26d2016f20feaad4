import { Fragment, type ReactNode, useMemo } from 'react';
import { sortedCountries } from '../../../ui/format/names.ts';
import { usePlans } from '../../commands/plans.ts';
import { Avatar, PlanDot } from '../../kit/avatar.tsx';
import type { GridColumn } from '../../kit/grid/columns.ts';
import { Row } from '../../kit/layout.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { useKit } from '../../kit/provider.tsx';
import { Text } from '../../kit/text.tsx';
import { Country, DateText, Money, RelativeTime } from '../../kit/values.tsx';
import { choiceField, namedField } from '../../lists/fields.ts';
import { SubscriptionStatus } from '../../parts/billing/status.tsx';
import { subscriptionStatuses } from '../../parts/billing/subscription-statuses.ts';
import { useCountries } from '../../parts/countries.ts';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { minorOf } from '../../parts/metrics/rates.ts';
import { useTerms } from '../../parts/terms.ts';
import type { CustomerRowFragment } from './row.graphql';

type CustomerColumn = GridColumn<CustomerRowFragment>;

/** Shown instead of an amount of 0. */
const none = (
  <Text size="sm" color="faint">
    –
  </Text>
);

export function useColumns(): readonly CustomerColumn[] {
  const words = useCustomerWords();
  const terms = useTerms();
  const titles = words.columns;
  return useMemo(
    (): CustomerColumn[] => [
      {
        id: 'name',
        title: titles.name,
        width: 170,
        grow: 2,
        isSortable: true,
        isRequired: true,
        phone: 'title',
        cell: ({ id, fullName, email }) => (
          <Row gap={2} wrap={false}>
            <Avatar id={id} name={fullName || email} size="sm" />
            <Text size="sm" weight="medium" truncate>
              {fullName === '' ? words.noName : fullName}
            </Text>
          </Row>
        ),
      },
      {
        id: 'email',
        title: titles.email,
        width: 130,
        grow: 2,
        isSortable: true,
        phone: 'line',
        cell: ({ email }) => (
          <Text size="sm" color="muted" truncate>
            {email}
          </Text>
        ),
      },
      {
        id: 'status',
        title: titles.status,
        width: 158,
        isSortable: true,
        phone: 'end',
        cell: ({ subscription }) =>
          subscription === null ? (
            <Text size="sm" color="faint">
              {terms.noSubscription}
            </Text>
          ) : (
            <SubscriptionStatus status={subscription.status} />
          ),
      },
      {
        id: 'plan',
        title: titles.plan,
        width: 85,
        isSortable: true,
        grow: 1,
        phone: 'line',
        cell: ({ subscription }) =>
          subscription && (
            <Row gap={2} wrap={false}>
              <PlanDot id={subscription.plan.planId} />
              <Text size="sm" truncate>
                {subscription.plan.name}
              </Text>
            </Row>
          ),
      },
      {
        id: 'mrr',
        title: titles.mrr,
        width: 95,
        isSortable: true,
        align: 'end',
        cell: ({ mrr }) => (
          <Amounts
            amounts={mrr.map(({ amount, currency }) => ({ amount: minorOf(amount, currency), currency }))}
            empty={none}
          />
        ),
      },
      {
        id: 'open',
        title: titles.open,
        width: 90,
        isSortable: true,
        align: 'end',
        cell: ({ totals }) => <Amounts amounts={totals.open} empty={none} />,
      },
      {
        id: 'paid',
        title: titles.paid,
        width: 110,
        align: 'end',
        isSortable: true,
        isShown: false,
        cell: ({ totals }) => <Amounts amounts={totals.collected} empty={none} />,
      },
      {
        id: 'country',
        title: titles.country,
        width: 120,
        isSortable: true,
        cell: ({ address }) => address && <Country code={address.country} />,
      },
      {
        id: 'created',
        title: titles.created,
        width: 115,
        isSortable: true,
        cell: ({ createdAt }) => <DateText at={createdAt} />,
      },
      {
        id: 'lastEvent',
        title: titles.lastEvent,
        width: 130,
        isShown: false,
        cell: ({ lastEventAt }) => lastEventAt && <RelativeTime at={lastEventAt} />,
      },
      {
        id: 'externalId',
        title: titles.externalId,
        width: 160,
        isShown: false,
        cell: ({ externalId }) => (
          <Text code truncate>
            {externalId}
          </Text>
        ),
      },
    ],
    [titles, terms, words.noName],
  );
}

/** Amounts in one or more currencies. */
export function Amounts({
  amounts,
  empty = null,
}: {
  readonly amounts: readonly { readonly amount: number; readonly currency: string }[];
  readonly empty?: ReactNode;
}) {
  const shown = amounts.filter(({ amount }) => amount !== 0);
  if (shown.length === 0) return empty;
  return shown.map(({ amount, currency }, index) => (
    <Fragment key={currency}>
      {index > 0 && ' + '}
      <Money minor={amount} currency={currency} />
    </Fragment>
  ));
}

export function useFields(): readonly FilterField[] {
  const { filters } = useCustomerWords();
  const terms = useTerms();
  const { locale } = useKit();
  const plans = usePlans();
  const codes = useCountries();
  return useMemo(
    () => [
      choiceField('status', filters.status, subscriptionStatuses, terms.subscriptionStatus, {
        isPartial: true,
      }),
      namedField('plan', filters.plan, plans, { isPartial: true }),
      {
        id: 'country',
        label: filters.country,
        kind: 'choice',
        isLoaded: true,
        isPartial: true,
        options: sortedCountries(codes, locale).map(({ code, name }) => ({ value: code, label: name })),
      },
      { id: 'created', label: filters.created, kind: 'date' },
    ],
    [filters, terms, locale, plans, codes],
  );
}
