import { useState } from 'react';
import { useData } from '../../data/hooks.ts';
import { Badge } from '../../kit/badge.tsx';
import { Button } from '../../kit/button.tsx';
import { Grow, Stack } from '../../kit/layout.tsx';
import { Section } from '../../kit/page.tsx';
import { Sheet } from '../../kit/sheet.tsx';
import { Loading } from '../../kit/states.tsx';
import { Text } from '../../kit/text.tsx';
import { LimitSheet } from '../../parts/limits/limit-sheet.tsx';
import { useLimitWords } from '../../parts/limits/limit-words.ts';
import { AskDialog } from '../../shell/ask-dialog.tsx';
import { DataError } from '../../shell/data-error.tsx';
import { BudgetDialog } from './budget-dialog.tsx';
import { LimitList } from './limit-list.tsx';
import { CustomerBudgetArchiveDocument, CustomerBudgetDocument } from './limits.graphql';

type BudgetSheetProps = {
  readonly customerId: string;
  readonly budgetKey: string;
  readonly timeZone: string;
  readonly currency: string;
  readonly onClose: () => void;
  readonly onChanged: () => void;
};

/** Sheet with a budget: the limits of the budget, its parents, and the customer, with the actions on the budget. */
export function BudgetSheet(props: BudgetSheetProps) {
  const { customerId, budgetKey: key, timeZone, currency, onClose, onChanged } = props;
  const words = useLimitWords();
  const { data, error, refetch } = useData(CustomerBudgetDocument, { id: customerId, key });
  const [opened, open] = useState<'limit' | 'edit' | 'archive' | null>(null);
  const [round, setRound] = useState(0);
  const budget = data?.budget ?? null;
  const isArchived = budget?.archivedAt != null;
  const changed = () => {
    open(null);
    setRound(round + 1);
    refetch();
    onChanged();
  };
  return (
    <Sheet
      isOpen
      onClose={onClose}
      title={budget?.name ?? key}
      subtitle={key}
      status={isArchived && <Badge>{words.archived}</Badge>}
      actions={
        budget !== null &&
        !isArchived && (
          <>
            <Button kind="quiet" onPress={() => open('archive')}>
              {words.archive}
            </Button>
            <Grow />
            <Button onPress={() => open('edit')}>{words.rename}</Button>
            <Button kind="primary" onPress={() => open('limit')}>
              {words.createLimit}
            </Button>
          </>
        )
      }
    >
      {error !== null && <DataError error={error} onRetry={refetch} />}
      {budget === null && error === null && <Loading lines={4} />}
      {isArchived && (
        <Text as="p" color="muted">
          {words.archivedText}
        </Text>
      )}
      {budget !== null && !isArchived && (
        <Stack gap={4}>
          <Text as="p" color="muted">
            {words.pathText}
          </Text>
          <Section title={words.limits}>
            <LimitList
              key={round}
              customerId={customerId}
              budget={key}
              timeZone={timeZone}
              currency={currency}
              empty={words.noLimits}
              onChanged={onChanged}
            />
          </Section>
        </Stack>
      )}
      {opened === 'limit' && (
        <LimitSheet
          target={{ customer: customerId, budget: key }}
          limit={null}
          currency={currency}
          onClose={() => open(null)}
          onDone={changed}
        />
      )}
      {opened === 'edit' && (
        <BudgetDialog customerId={customerId} budget={budget} onClose={() => open(null)} onDone={changed} />
      )}
      {opened === 'archive' && (
        <AskDialog
          document={CustomerBudgetArchiveDocument}
          input={{ customerId, key }}
          title={words.archiveTitle({ key })}
          texts={[words.archiveText, words.archiveFinal]}
          confirm={words.archive}
          kind="danger"
          done={words.budgetArchived}
          onDone={changed}
          onClose={() => open(null)}
        />
      )}
    </Sheet>
  );
}
