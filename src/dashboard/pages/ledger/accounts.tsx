import { addressOf, useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { DateField } from '../../kit/date-field.tsx';
import { Card } from '../../kit/layout.tsx';
import { Link } from '../../kit/link.tsx';
import { isDay } from '../../kit/list/filters.ts';
import { Loading } from '../../kit/states.tsx';
import { Table, type TableColumn } from '../../kit/table.tsx';
import { Money } from '../../kit/values.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { useWords } from '../../words/words.ts';
import { LedgerAccountsDocument, type LedgerAccountsQuery } from './page.graphql';

type Account = LedgerAccountsQuery['ledgerAccounts'][number];

/** Lists accounts with their debits and credits. Each name links to the account's transfers. */
export function Accounts() {
  const words = useWords('ledger');
  const [search, change] = useAddressSearch();
  const named = search['balances'] ?? '';
  const day = isDay(named) ? named : null;
  const at = day === null ? null : `${day}T23:59:59.999Z`;
  const { data, error, refetch } = useData(LedgerAccountsDocument, { at });
  const names: Readonly<Record<string, string>> = words.accounts;
  const money = (of: (account: Account) => number) => (account: Account) => (
    <Money minor={of(account)} currency={account.currency} />
  );
  const columns: TableColumn<Account>[] = [
    {
      id: 'account',
      title: words.account,
      cell: ({ name }) => (
        <Link kind="text" href={addressOf('ledger', null, { balances: day ?? undefined, account: name })}>
          {names[name] ?? name}
        </Link>
      ),
    },
    { id: 'kind', title: words.kind, priority: 'secondary', cell: ({ kind }) => words.kinds[kind] },
    {
      id: 'debit',
      title: words.debit,
      align: 'end',
      priority: 'secondary',
      cell: money(({ debit }) => debit),
    },
    {
      id: 'credit',
      title: words.credit,
      align: 'end',
      priority: 'secondary',
      cell: money(({ credit }) => credit),
    },
    { id: 'balance', title: words.balance, align: 'end', cell: money(({ balance }) => balance) },
  ];
  return (
    <Card
      title={words.balances}
      padding="none"
      actions={
        <DateField
          label={words.asOf}
          help={words.asOfHelp}
          value={day}
          onChange={(value) => change({ balances: value ?? undefined })}
        />
      }
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {data === null && error === null && <Loading lines={15} />}
      {data !== null && (
        <Table
          label={words.balances}
          columns={columns}
          rows={data.ledgerAccounts}
          rowKey={({ name, currency }) => `${name} ${currency}`}
          empty={day === null ? words.empty : words.noneYet}
        />
      )}
    </Card>
  );
}
