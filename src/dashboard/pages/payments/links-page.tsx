import { useMemo } from 'react';
import { Button } from '../../kit/button.tsx';
import { CopyButton } from '../../kit/copy.tsx';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import { Text } from '../../kit/text.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useOpened } from '../../lists/use-open-item.ts';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { PaymentStatus } from '../../parts/billing/status.tsx';
import { linkTotals } from '../../parts/billing/totals.ts';
import { useTerms } from '../../parts/terms.ts';
import { useWords } from '../../words/words.ts';
import { type PaymentRowFragment, PaymentsDocument } from './links.graphql';
import { kinds, linkStatuses, paymentVariables } from './list-variables.ts';
import { PaymentTabs } from './tabs.tsx';

const LinkSheet = lazyPart(() => import('./link-sheet.tsx').then((module) => module.LinkSheet));
const NewLink = lazyPart(() => import('./new-link.tsx').then((module) => module.NewLink));

/** Event types that change the list. */
const liveKinds = ['payment_'] as const;

/** Lists payment links and one-time charges to stored cards. */
export default function PaymentLinksPage() {
  const words = useWords('payments');
  const [, open] = useOpened();
  const texts = {
    title: words.tabs.links,
    search: words.links.search,
    empty: words.links.empty,
    emptyFiltered: words.emptyFiltered,
    failed: words.failed,
  };
  return (
    <ListPage
      name="paymentLinks"
      words={texts}
      document={PaymentsDocument}
      columns={useLinkColumns()}
      fields={useLinkFields()}
      variablesOf={paymentVariables}
      rowKey={({ id }) => id}
      live={liveKinds}
      opensSheet
      sheet={({ opened, open: show, close }) =>
        opened === 'new' ? (
          <NewLink onClose={close} onMade={show} />
        ) : (
          <LinkSheet id={opened} onClose={close} />
        )
      }
      tabs={<PaymentTabs selected="links" />}
      head={(variables) => (
        <ListTotals
          document={PaymentsDocument}
          variables={variables}
          linesOf={(totals, money) =>
            linkTotals(totals).map(({ currency, count, done, open: pending }) => ({
              currency,
              texts: [
                words.links.totals.count({ count }),
                words.links.totals.paid({ amount: money(done, currency) }),
                words.links.totals.open({ amount: money(pending, currency) }),
              ],
            }))
          }
        />
      )}
      actions={
        <Button kind="primary" keys="n" onPress={() => open('new')}>
          {words.links.new}
        </Button>
      }
      emptyAction={
        <Button kind="primary" onPress={() => open('new')}>
          {words.links.new}
        </Button>
      }
    />
  );
}

function useLinkColumns(): readonly GridColumn<PaymentRowFragment>[] {
  const words = useWords('payments');
  return useMemo(
    () => [
      {
        id: 'description',
        title: words.links.description,
        width: 220,
        grow: 2,
        isRequired: true,
        phone: 'title',
        cell: ({ description }) => <Text truncate>{description}</Text>,
      },
      {
        id: 'status',
        title: words.status,
        width: 150,
        phone: 'line',
        cell: ({ status }) => <PaymentStatus status={status} />,
      },
      { id: 'kind', title: words.links.kind, width: 130, cell: ({ kind }) => words.links.kinds[kind] },
      {
        id: 'customer',
        title: words.customer,
        width: 180,
        grow: 1,
        cell: ({ customer }) => (customer === null ? '–' : customer.fullName || customer.email),
      },
      {
        id: 'link',
        title: words.links.kinds.link,
        width: 120,
        cell: ({ url, status }) =>
          url !== null && status === 'pending' ? <CopyButton value={url} label={words.links.copy} /> : '–',
      },
      {
        id: 'time',
        title: words.time,
        width: 205,
        isSortable: true,
        cell: ({ createdAt }) => <DateTime at={createdAt} />,
      },
      {
        id: 'amount',
        title: words.amount,
        width: 130,
        align: 'end',
        isSortable: true,
        phone: 'end',
        cell: ({ amountTotal, currency }) => <Money minor={amountTotal} currency={currency} />,
      },
    ],
    [words],
  );
}

function useLinkFields(): readonly FilterField[] {
  const words = useWords('payments');
  const terms = useTerms();
  return useMemo(
    () => [
      choiceField('status', words.status, linkStatuses, terms.paymentStatus),
      choiceField('kind', words.links.kind, kinds, words.links.kinds),
      { id: 'time', label: words.time, kind: 'date' },
      { id: 'amount', label: words.amount, kind: 'money', currency: 'usd' },
    ],
    [words, terms],
  );
}
