import { useMemo } from 'react';
import { addressOf } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { environment } from '../../data/place.ts';
import { useIsAllowed } from '../../data/viewer.ts';
import { Status } from '../../kit/badge.tsx';
import { Button, LinkButton } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import type { GridColumn } from '../../kit/grid/grid.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import type { FilterField } from '../../kit/list/filters.ts';
import type { ListState } from '../../kit/list/list-address.ts';
import type { Tone } from '../../kit/tone.ts';
import { DateText, DateTime, Money } from '../../kit/values.tsx';
import { choiceField } from '../../lists/fields.ts';
import { ListPage } from '../../lists/list-page.tsx';
import { amountRange, chosen, dateRange, filterBy, sortOf } from '../../lists/range.ts';
import { useOpened } from '../../lists/use-open-item.ts';
import { ListTotals } from '../../parts/billing/list-totals.tsx';
import { payoutTotals } from '../../parts/billing/totals.ts';
import { useWords } from '../../words/words.ts';
import { Balance } from './balance.tsx';
import {
  PayoutOverviewDocument,
  type PayoutRowFragment,
  PayoutsDocument,
  type PayoutsQueryVariables,
} from './page.graphql';
import { PayoutTabs } from './tabs.tsx';

const PayoutSheet = lazyPart(() => import('./payout-sheet.tsx').then((module) => module.PayoutSheet));
const Verification = lazyPart(() => import('./verification.tsx').then((module) => module.Verification));
const Withdraw = lazyPart(() => import('./withdraw.tsx').then((module) => module.Withdraw));
const Accounts = lazyPart(() => import('./accounts.tsx').then((module) => module.Accounts));

/** Event types that change the list. */
const liveKinds = ['payout_'] as const;

const statuses = ['pending', 'in_transit', 'paid', 'failed', 'canceled'] as const;

const tones: Readonly<Record<PayoutRowFragment['status'], Tone>> = {
  canceled: 'neutral',
  failed: 'negative',
  in_transit: 'info',
  paid: 'positive',
  pending: 'info',
};

function variablesOf(
  _view: string,
  state: ListState,
  now: Date,
): Pick<PayoutsQueryVariables, 'filter' | 'sort'> {
  const [status, created, amount] = ['status', 'created', 'amount'].map((field) => filterBy(state, field));
  const sort = sortOf(state, { created: 'created_at', amount: 'amount' } as const);
  return {
    filter: {
      ...(status && { statuses: chosen(status, statuses) }),
      ...(created && { createdAt: dateRange(created, now) }),
      ...(amount && { amount: amountRange(amount) }),
    },
    ...(sort && { sort }),
  };
}

/** Payouts page: balance, payouts, and bank accounts. */
export default function PayoutsPage() {
  const words = useWords('payouts');
  const [, open] = useOpened();
  const { data, refetch } = useData(PayoutOverviewDocument, {});
  const isSandbox = environment.get() === 'sandbox';
  const canPayOut = useIsAllowed('payoutCreate', 'admin');
  const canSimulate = useIsAllowed('payoutSimulate');
  const canWithdraw = isSandbox ? canSimulate : canPayOut;
  const balance = data?.payoutBalance ?? null;
  const withdraw = canWithdraw && (
    <Button
      kind="primary"
      isDisabled={balance === null || balance.available <= 0}
      onPress={() => open('withdraw')}
    >
      {isSandbox ? words.simulate : words.withdraw}
    </Button>
  );
  return (
    <ListPage
      name="payouts"
      words={words}
      document={PayoutsDocument}
      columns={usePayoutColumns()}
      fields={usePayoutFields()}
      variablesOf={variablesOf}
      rowKey={({ id }) => id}
      live={liveKinds}
      tabs={<PayoutTabs selected="payouts" />}
      opensSheet
      emptyAction={
        balance !== null &&
        (balance.available > 0 ? (
          withdraw
        ) : (
          <LinkButton kind="primary" href={addressOf('paymentLinks', null, { open: 'new' })}>
            {words.getPaid}
          </LinkButton>
        ))
      }
      sheet={({ opened, close }) => {
        if (opened === 'verification') return <Verification onClose={close} />;
        if (opened === 'accounts')
          return (
            <Accounts accounts={data?.payoutBankAccounts.nodes ?? []} onClose={close} onDone={refetch} />
          );
        if (opened !== 'withdraw') return <PayoutSheet id={opened} onClose={close} onDone={refetch} />;
        return (
          balance !== null && (
            <Withdraw balance={balance} isSandbox={isSandbox} onClose={close} onDone={refetch} />
          )
        );
      }}
      actions={
        <Row>
          {!isSandbox && <Button onPress={() => open('accounts')}>{words.accounts}</Button>}
          {!isSandbox && <Button onPress={() => open('verification')}>{words.verification}</Button>}
          {withdraw}
        </Row>
      }
      head={(variables) => (
        <Stack>
          {isSandbox && <Callout>{words.sandboxNote}</Callout>}
          {!canWithdraw && <Callout>{words.forAdmins}</Callout>}
          {balance !== null && <Balance balance={balance} />}
          <ListTotals
            document={PayoutsDocument}
            variables={variables}
            linesOf={(totals, money) =>
              payoutTotals(totals).map(({ currency, count, done, open: pending }) => ({
                currency,
                texts: [
                  words.totals.count({ count }),
                  words.totals.paid({ amount: money(done, currency) }),
                  words.totals.open({ amount: money(pending, currency) }),
                ],
              }))
            }
          />
        </Stack>
      )}
    />
  );
}

function usePayoutColumns(): readonly GridColumn<PayoutRowFragment>[] {
  const words = useWords('payouts');
  return useMemo(
    () => [
      {
        id: 'created',
        title: words.created,
        width: 205,
        isSortable: true,
        isRequired: true,
        phone: 'title',
        cell: ({ createdAt }) => <DateTime at={createdAt} />,
      },
      {
        id: 'status',
        title: words.status,
        width: 140,
        grow: 1,
        phone: 'line',
        cell: ({ status }) => <Status tone={tones[status]}>{words.statuses[status]}</Status>,
      },
      {
        id: 'account',
        title: words.account,
        width: 180,
        grow: 1,
        cell: ({ bankAccount }) =>
          bankAccount === null ? '–' : `${bankAccount.bankName ?? ''} ${bankAccount.last4}`,
      },
      {
        id: 'arrives',
        title: words.arrivesBy,
        width: 140,
        cell: ({ arrivesBy }) => <DateText at={arrivesBy} />,
      },
      {
        id: 'fee',
        title: words.fee,
        width: 110,
        align: 'end',
        isShown: false,
        cell: ({ fee, currency }) => <Money minor={fee} currency={currency} />,
      },
      {
        id: 'net',
        title: words.net,
        width: 130,
        align: 'end',
        isShown: false,
        cell: ({ netAmount, currency }) => <Money minor={netAmount} currency={currency} />,
      },
      {
        id: 'amount',
        title: words.amount,
        width: 130,
        align: 'end',
        isSortable: true,
        phone: 'end',
        cell: ({ amount, currency }) => <Money minor={amount} currency={currency} />,
      },
    ],
    [words],
  );
}

function usePayoutFields(): readonly FilterField[] {
  const words = useWords('payouts');
  return useMemo(
    () => [
      choiceField('status', words.status, statuses, words.statuses),
      { id: 'created', label: words.created, kind: 'date' },
      { id: 'amount', label: words.amount, kind: 'money', currency: 'usd' },
    ],
    [words],
  );
}
