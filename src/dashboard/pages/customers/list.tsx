import { addressOf } from '../../address.ts';
import { BulkActions, type BulkCommandName } from '../../commands/bulk-actions.tsx';
import { Button } from '../../kit/button.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { useOpened } from '../../lists/use-open-item.ts';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { useCustomerWords } from '../../parts/customer-words.ts';
import { minorOf } from '../../parts/metrics/rates.ts';
import { usePageKey } from '../../shell/use-page-key.ts';
import { CustomersDocument } from './list.graphql';
import { useColumns, useFields } from './list-columns.tsx';
import { listVariables } from './list-variables.ts';

const CustomerSheet = lazyPart(() => import('./customer-sheet.tsx').then((module) => module.CustomerSheet));
const ImportCustomers = lazyPart(() =>
  import('./import-customers.tsx').then((module) => module.ImportCustomers),
);
const NewCustomer = lazyPart(() => import('./new-customer.tsx').then((module) => module.NewCustomer));

const bulkCommands: readonly BulkCommandName[] = ['creditCreate', 'offerApply', 'portalLink'];

/** Event types that add rows to the list. */
const liveKinds = ['customer_created'] as const;

export default function CustomersPage() {
  const words = useCustomerWords();
  const [, open] = useOpened();
  usePageKey('n', () => open('new'));
  const add = (
    <Button kind="primary" onPress={() => open('new')}>
      {words.new}
    </Button>
  );
  return (
    <ListPage
      name="customers"
      words={words}
      document={CustomersDocument}
      columns={useColumns()}
      fields={useFields()}
      variablesOf={listVariables}
      views={words.views}
      rowKey={({ id }) => id}
      rowHref={({ id }) => addressOf('customer', { id })}
      opensSheet
      live={liveKinds}
      bulkActions={(selected, refresh) => (
        <BulkActions commands={bulkCommands} selected={selected} onRun={refresh} />
      )}
      emptyAction={add}
      head={(variables) => (
        <ListTotals
          document={CustomersDocument}
          variables={variables}
          linesOf={(totals, money) =>
            totals.map(({ currency, mrr, outstanding, totalPaid }) => ({
              currency,
              texts: [
                words.totals.mrr({ amount: money(minorOf(mrr, currency), currency) }),
                words.totals.outstanding({ amount: money(outstanding, currency) }),
                words.totals.paid({ amount: money(totalPaid, currency) }),
              ],
            }))
          }
        />
      )}
      actions={
        <>
          <Button onPress={() => open('import')}>{words.import}</Button>
          <Button kind="primary" keys="n" onPress={() => open('new')}>
            {words.new}
          </Button>
        </>
      }
      sheet={({ opened, close, refresh }) => {
        if (opened === 'new') return <NewCustomer onClose={close} onMade={refresh} />;
        if (opened === 'import') return <ImportCustomers onClose={close} onMade={refresh} />;
        return <CustomerSheet id={opened} onClose={close} />;
      }}
    />
  );
}
