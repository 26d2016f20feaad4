import { useMemo } from 'react';
import { addressOf, useAddressSearch } from '../../address.ts';
import { Button } from '../../kit/button.tsx';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Link } from '../../kit/link.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import { Loading } from '../../kit/states.tsx';
import { DateTime, Money } from '../../kit/values.tsx';
import { ListPage } from '../../lists/list-page.tsx';
import { chosen, dateRange, filterBy } from '../../lists/range.ts';
import { useWords } from '../../words/words.ts';
import {
  LedgerTransfersDocument,
  type LedgerTransfersQueryVariables,
  type TransferRowFragment,
} from './page.graphql';

const Verify = lazyPart(() => import('./verify.tsx').then((module) => module.Verify));
/** Placeholder with the height of the balances, so that the layout doesn't shift when they load. */
const Waiting = () => <Loading lines={18} />;

const Accounts = lazyPart(() => import('./accounts.tsx').then((module) => module.Accounts), Waiting);

/** Event types that change the list. */
const liveKinds = ['invoice_', 'payment_', 'payout_', 'credit_', 'balance_'] as const;

/** Returns the text for a key. Falls back to the key itself. */
const textOf = (texts: Readonly<Record<string, string>>, key: string): string =>
  Object.hasOwn(texts, key) ? (texts[key] ?? key) : key;

/** Ledger page: account balances, all transfers, and a check of the balances. */
export default function LedgerPage() {
  const words = useWords('ledger');
  const [search, change] = useAddressSearch();
  const isOpen = search['accounts'] !== 'off';
  const variablesOf = useMemo(() => {
    const [accounts, facts] = [Object.keys(words.accounts), Object.keys(words.facts)];
    return (_view: string, state: ListState, now: Date): Pick<LedgerTransfersQueryVariables, 'filter'> => {
      const [account, fact, time] = ['account', 'fact', 'time'].map((field) => filterBy(state, field));
      return {
        filter: {
          ...(account && { accounts: chosen(account, accounts) }),
          ...(fact && { facts: chosen(fact, facts) }),
          ...(time && { occurredAt: dateRange(time, now) }),
        },
      };
    };
  }, [words]);
  return (
    <ListPage
      name="ledger"
      words={words}
      document={LedgerTransfersDocument}
      columns={useTransferColumns()}
      fields={useTransferFields()}
      variablesOf={variablesOf}
      rowKey={({ id }) => id}
      live={liveKinds}
      actions={
        <Row>
          <Button onPress={() => change({ accounts: isOpen ? 'off' : undefined })}>
            {isOpen ? words.hideAccounts : words.showAccounts}
          </Button>
          <Button kind="primary" onPress={() => change({ open: 'verify' }, { isNew: true })}>
            {words.verify}
          </Button>
        </Row>
      }
      head={() => <Stack>{isOpen && <Accounts />}</Stack>}
      sheet={({ opened, close }) => opened === 'verify' && <Verify onClose={close} />}
    />
  );
}

function useTransferColumns(): readonly GridColumn<TransferRowFragment>[] {
  const words = useWords('ledger');
  return useMemo(
    () => [
      {
        id: 'fact',
        title: words.fact,
        width: 170,
        grow: 1,
        isRequired: true,
        phone: 'title',
        cell: ({ fact }) => textOf(words.facts, fact),
      },
      {
        id: 'debit',
        title: words.from,
        width: 150,
        grow: 1,
        cell: ({ debitAccount }) => textOf(words.accounts, debitAccount),
      },
      {
        id: 'credit',
        title: words.to,
        width: 150,
        grow: 1,
        cell: ({ creditAccount }) => textOf(words.accounts, creditAccount),
      },
      {
        id: 'customer',
        title: words.customer,
        width: 140,
        grow: 1,
        isShown: false,
        cell: ({ customer }) => (customer === null ? '–' : customer.fullName || customer.email),
      },
      {
        id: 'document',
        title: words.document,
        width: 110,
        phone: 'line',
        cell: ({ invoice, transaction }) =>
          invoice !== null ? (
            <Link kind="text" href={addressOf('invoice', { id: invoice.id })}>
              {invoice.invoiceNumber}
            </Link>
          ) : transaction !== null ? (
            <Link kind="text" href={addressOf('payment', { id: transaction.id })}>
              {words.payment}
            </Link>
          ) : (
            '–'
          ),
      },
      {
        id: 'time',
        title: words.time,
        width: 205,
        cell: ({ occurredAt }) => <DateTime at={occurredAt} />,
      },
      {
        id: 'amount',
        title: words.amount,
        width: 120,
        align: 'end',
        phone: 'end',
        cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
      },
    ],
    [words],
  );
}

function useTransferFields(): readonly FilterField[] {
  const words = useWords('ledger');
  return useMemo(() => {
    const options = (texts: Readonly<Record<string, string>>) =>
      Object.entries(texts).map(([value, label]) => ({ value, label }));
    return [
      // Each transfer has a debited account and a credited account.
      {
        id: 'account',
        label: words.account,
        kind: 'choice',
        isPartial: true,
        options: options(words.accounts),
      },
      { id: 'fact', label: words.fact, kind: 'choice', options: options(words.facts) },
      { id: 'time', label: words.time, kind: 'date' },
    ];
  }, [words]);
}
