import { useCallback } from 'react';
import { addressOf } from '../../address.ts';
import { BulkActions, type BulkCommandName } from '../../commands/bulk-actions.tsx';
import { Button } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { ListState } from '../../kit/list/list-address.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { useOpened } from '../../lists/use-open-item.ts';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { subscriptionTotals } from '../../parts/billing/totals.ts';
import { minorOf } from '../../parts/metrics/rates.ts';
import { useSubscriptionWords } from '../../parts/subscription-words.ts';
import { usePageKey } from '../../shell/use-page-key.ts';
import { useFields } from './filter-fields.ts';
import { SubscriptionsDocument } from './list.graphql';
import { useColumns } from './list-columns.tsx';
import { listVariables } from './list-variables.ts';

const NewSubscription = lazyPart(() =>
  import('./new-subscription.tsx').then((module) => module.NewSubscription),
);

const bulkCommands: readonly BulkCommandName[] = ['cancel', 'offerApply'];

/** Event types that add rows to the list. */
const liveKinds = ['subscription_created'] as const;

export default function SubscriptionsPage() {
  const words = useSubscriptionWords();
  const [, open] = useOpened();
  const { fields, choices } = useFields();
  const variablesOf = useCallback(
    (view: string, state: ListState, now: Date) => listVariables(view, state, choices, now),
    [choices],
  );
  usePageKey('n', () => open('new'));
  return (
    <ListPage
      name="subscriptions"
      words={words}
      document={SubscriptionsDocument}
      columns={useColumns()}
      fields={fields}
      variablesOf={variablesOf}
      views={words.views}
      rowKey={({ id }) => id}
      rowHref={({ id }) => addressOf('subscription', { id })}
      live={liveKinds}
      head={(variables) => (
        <ListTotals
          document={SubscriptionsDocument}
          variables={variables}
          linesOf={(totals, money) =>
            subscriptionTotals(totals).map(({ currency, count, mrr }) => ({
              currency,
              texts: [
                words.totals.count({ count }),
                words.totals.mrr({ amount: money(minorOf(mrr, currency), currency) }),
              ],
            }))
          }
        />
      )}
      bulkActions={(selected, refresh) => (
        <BulkActions commands={bulkCommands} selected={selected} onRun={refresh} />
      )}
      emptyAction={
        <Button kind="primary" onPress={() => open('new')}>
          {words.new}
        </Button>
      }
      actions={
        <Button kind="primary" keys="n" onPress={() => open('new')}>
          {words.new}
        </Button>
      }
      sheet={({ opened, close, refresh }) =>
        opened === 'new' && <NewSubscription onClose={close} onDone={refresh} />
      }
    />
  );
}
