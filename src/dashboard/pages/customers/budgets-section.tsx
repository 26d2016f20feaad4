import { useState } from 'react';
import { useAddressSearch } from '../../address.ts';
import { useData } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Callout } from '../../kit/callout.tsx';
import { Switch } from '../../kit/choice.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { lazyPart } from '../../kit/lazy-part.tsx';
import { Section } from '../../kit/page.tsx';
import { Meter } from '../../kit/progress.tsx';
import { Loading } from '../../kit/states.tsx';
import { Table } from '../../kit/table.tsx';
import { Hidden, Text } from '../../kit/text.tsx';
import { SearchField } from '../../kit/text-field.tsx';
import { ResetTime, shareOf, useAmounts } from '../../parts/limits/limit-bar.tsx';
import { limitTitle, useLimitWords } from '../../parts/limits/limit-words.ts';
import type { LimitAmountsFragment } from '../../parts/limits/limits.graphql';
import { PagesOf } from '../../parts/load-more.tsx';
import { useConnection } from '../../parts/subscription/subscription-lists.tsx';
import { type BudgetRowFragment, CustomerBudgetsDocument } from './limits.graphql';

const BudgetSheet = lazyPart(() => import('./budget-sheet.tsx').then((module) => module.BudgetSheet));
const BudgetDialog = lazyPart(() => import('./budget-dialog.tsx').then((module) => module.BudgetDialog));

/** Current value of a budget's limit in a row of the table. */
function BudgetLimit({
  state,
  timeZone,
}: {
  readonly state: LimitAmountsFragment;
  readonly timeZone: string;
}) {
  const words = useLimitWords();
  const { value } = useAmounts(state);
  const title = limitTitle(words, state.limit);
  return (
    <Stack gap={1}>
      {state.amount === null ? (
        <Text size="sm">{`${title}: ${value}`}</Text>
      ) : (
        <Meter label={title} share={shareOf(state)} value={value} />
      )}
      {state.resetsAt !== null && (
        <Text size="xs" color="muted">
          <ResetTime at={state.resetsAt} timeZone={timeZone} />
        </Text>
      )}
    </Stack>
  );
}

type PageProps = {
  readonly id: string;
  readonly timeZone: string;
  readonly search: string;
  readonly hasArchived: boolean;
  readonly after: string | null;
  readonly onOpen: (key: string) => void;
  readonly onConnection: Parameters<typeof useConnection>[1];
};

const pageSize = 50;

function BudgetPage({ id, timeZone, search, hasArchived, after, onOpen, onConnection }: PageProps) {
  const words = useLimitWords();
  const { data, error } = useData(CustomerBudgetsDocument, {
    id,
    first: pageSize,
    after,
    archived: hasArchived,
    ...(search !== '' && { search }),
  });
  useConnection(data?.budgets, onConnection);
  if (error !== null) return <Callout tone="negative">{error.message}</Callout>;
  if (data === null) return <Loading />;
  return (
    <Table
      label={words.budgets}
      rows={data.budgets.nodes}
      rowKey={(budget) => budget.id}
      empty={search === '' ? words.noBudgets : words.noMatches}
      columns={[
        { id: 'budget', title: words.budget, cell: (budget) => <BudgetName budget={budget} /> },
        {
          id: 'limits',
          title: words.limits,
          cell: ({ limits }) =>
            limits.length === 0 ? (
              <Text color="muted">{words.noOwnLimits}</Text>
            ) : (
              <Stack gap={3}>
                {limits.map((state) => (
                  <BudgetLimit key={state.limitId} state={state} timeZone={timeZone} />
                ))}
              </Stack>
            ),
        },
        {
          id: 'open',
          title: <Hidden>{words.open}</Hidden>,
          align: 'end',
          cell: ({ key }) => (
            <Button size="sm" kind="quiet" aria-label={words.openBudget({ key })} onPress={() => onOpen(key)}>
              {words.open}
            </Button>
          ),
        },
      ]}
    />
  );
}

/** Name, key, and parent of a budget. */
function BudgetName({ budget: { key, name, parent, archivedAt } }: { readonly budget: BudgetRowFragment }) {
  const words = useLimitWords();
  return (
    <Stack gap={0}>
      <Row gap={2}>
        <Text weight="medium">{name ?? key}</Text>
        {archivedAt !== null && <Badge>{words.archived}</Badge>}
      </Row>
      {name !== null && (
        <Text size="sm" code>
          {key}
        </Text>
      )}
      {parent !== null && (
        <Text size="sm" color="muted">
          {words.within({ parent: parent.key })}
        </Text>
      )}
    </Stack>
  );
}

type BudgetsProps = { readonly id: string; readonly timeZone: string; readonly currency: string };

/** Budgets of a customer with the usage of their limits, sorted by the used share. A sheet shows one budget. */
export function BudgetsSection({ id, timeZone, currency }: BudgetsProps) {
  const words = useLimitWords();
  const [{ budget: opened }, change] = useAddressSearch();
  const [search, setSearch] = useState('');
  const [hasArchived, setArchived] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [round, setRound] = useState(0);
  const reload = () => setRound((before) => before + 1);
  return (
    <Section
      title={words.budgets}
      actions={
        <Button size="sm" onPress={() => setCreating(true)}>
          {words.createBudget}
        </Button>
      }
    >
      <Stack gap={4}>
        <Row gap={4} align="end">
          <SearchField label={words.search} value={search} onChange={setSearch} maxLength={100} />
          <Switch isSelected={hasArchived} onChange={setArchived}>
            {words.showArchived}
          </Switch>
        </Row>
        <PagesOf
          key={`${search} ${hasArchived} ${round}`}
          page={(after, hand) => (
            <BudgetPage
              id={id}
              timeZone={timeZone}
              search={search.trim()}
              hasArchived={hasArchived}
              after={after}
              onOpen={(key) => change({ budget: key }, { isNew: true })}
              onConnection={hand}
            />
          )}
        />
      </Stack>
      {opened !== undefined && (
        <BudgetSheet
          key={opened}
          customerId={id}
          budgetKey={opened}
          timeZone={timeZone}
          currency={currency}
          onClose={() => change({ budget: undefined })}
          onChanged={reload}
        />
      )}
      {isCreating && (
        <BudgetDialog
          customerId={id}
          budget={null}
          onClose={() => setCreating(false)}
          onDone={() => {
            setCreating(false);
            reload();
          }}
        />
      )}
    </Section>
  );
}
