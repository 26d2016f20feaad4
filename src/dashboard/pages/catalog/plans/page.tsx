import { useState } from 'react';
import type { ResultOf } from '../../../../ui/documents.ts';
import { addressOf } from '../../../address.ts';
import { useAction, useData } from '../../../data/hooks.ts';
import { Badge } from '../../../kit/badge.tsx';
import { Button, LinkButton } from '../../../kit/button.tsx';
import { ErrorState } from '../../../kit/error-state.tsx';
import { Card, Row, Stack } from '../../../kit/layout.tsx';
import { lazyPart } from '../../../kit/lazy-part.tsx';
import { Page, Section } from '../../../kit/page.tsx';
import { EmptyState, Loading } from '../../../kit/states.tsx';
import { Text } from '../../../kit/text.tsx';
import { ExportAction } from '../../../lists/export-action.tsx';
import { Rejection } from '../../../parts/catalog/rejection.tsx';
import { openAddress } from '../../../router-address.ts';
import { useWords } from '../../../words/words.ts';
import { CatalogGroupReorderDocument, CatalogPlansDocument } from './page.graphql';
import { everyPlan, filterOf } from './plan-choice.ts';
import { PlanTile } from './plan-tile.tsx';

const ReorderList = lazyPart(
  () => import('../../../kit/reorder-list.tsx').then((module) => module.ReorderList),
  ({ items }) => <Loading lines={2 * items.length} />,
);
// Preloads the list, because it's visible on the first render.
ReorderList.preload();

const PlanFilters = lazyPart(
  () => import('./plan-filters.tsx').then((module) => module.PlanFilters),
  () => <Loading lines={2} />,
);
// Preloads the filters, because they're visible on the first render.
PlanFilters.preload();

const GroupSheet = lazyPart(() => import('./group-sheet.tsx').then((module) => module.GroupSheet));
const FirstPlan = lazyPart(() =>
  import('../../../parts/catalog/first-plan/first-plan.tsx').then((module) => module.FirstPlan),
);

type Answer = ResultOf<typeof CatalogPlansDocument>;
type Plan = Answer['plans']['nodes'][number];
type Group = Answer['planGroups']['nodes'][number];

type GroupPartProps = {
  readonly group: Group;
  readonly plans: readonly Plan[];
  readonly onEdit: () => void;
};

/** Plan group with its plans, lowest plan first. The order of the plans determines which changes are upgrades. */
function GroupPart({ group, plans, onEdit }: GroupPartProps) {
  const words = useWords('plans');
  const common = useWords('catalog');
  const [reorder, { isRunning, error }] = useAction(CatalogGroupReorderDocument);
  const [moved, setMoved] = useState<readonly string[] | null>(null);
  const byId = new Map(plans.map((plan) => [plan.id, plan]));
  const stored = group.plans.map(({ id }) => id);
  const shown = (isRunning && moved !== null ? moved : stored).flatMap((id) => byId.get(id) ?? []);
  const move = (ids: string[]) => {
    setMoved(ids);
    void reorder({ input: { id: group.id, planIds: ids } });
  };
  return (
    <Section
      title={
        <Row gap={2}>
          {group.name}
          {!group.isPublic && <Badge>{common.hidden}</Badge>}
        </Row>
      }
      description={group.description ?? words.order}
      actions={
        <Button kind="quiet" onPress={onEdit}>
          {words.editGroup}
        </Button>
      }
    >
      <Stack gap={2}>
        <Card padding="none">
          {shown.length === 0 ? (
            <EmptyState title={words.groupEmpty} />
          ) : (
            <ReorderList
              label={group.name}
              onReorder={move}
              isDisabled={shown.length < stored.length}
              items={shown.map((plan) => ({
                id: plan.id,
                label: plan.name,
                content: <PlanTile plan={plan} />,
              }))}
            />
          )}
        </Card>
        <Rejection error={error} />
      </Stack>
    </Section>
  );
}

/** Lists plans by group, lowest plan first. Plans without a group come last. */
export default function PlansPage() {
  const title = useWords('titles').plans;
  const words = useWords('plans');
  const common = useWords('catalog');
  const [choice, setChoice] = useState(everyPlan);
  const filter = filterOf(choice);
  const { data, error, refetch } = useData(CatalogPlansDocument, { filter });
  const [group, setGroup] = useState<Group | 'new' | null>(null);
  const plans = data?.plans.nodes ?? [];
  const isShown = (group: Group) =>
    filter === null || plans.some(({ planGroupId }) => planGroupId === group.id);
  const groups = (data?.planGroups.nodes ?? []).filter(isShown);
  const loose = plans.filter(({ planGroupId }) => planGroupId === null);
  const isNothing = data !== null && plans.length === 0 && groups.length === 0;
  const isEmpty = isNothing && filter === null;
  return (
    <Page
      title={title}
      subtitle={words.text}
      actions={
        !isEmpty && (
          <>
            <ExportAction name="plans" variables={{}} />
            <Button onPress={() => setGroup('new')}>{words.newGroup}</Button>
            <LinkButton kind="primary" href={addressOf('planNew')}>
              {words.newPlan}
            </LinkButton>
          </>
        )
      }
    >
      <Stack gap={6}>
        {data === null && error !== null && (
          <ErrorState
            title={common.listFailed}
            message={error.message}
            {...(error.requestId !== null && { requestId: error.requestId })}
            onRetry={refetch}
          />
        )}
        {isEmpty && <FirstPlan onDone={({ planId }) => openAddress(addressOf('plan', { id: planId }))} />}
        {!isEmpty && <PlanFilters choice={choice} onChange={setChoice} />}
        {data === null && error === null && <Loading lines={10} />}
        {isNothing && filter !== null && <EmptyState title={words.filters.none} />}
        {groups.map((one) => (
          <GroupPart key={one.id} group={one} plans={plans} onEdit={() => setGroup(one)} />
        ))}
        {loose.length > 0 && (
          <Section {...(groups.length > 0 && { title: words.loose, description: words.looseText })}>
            <Card padding="none">
              <ReorderList
                label={words.loose}
                isDisabled
                onReorder={() => {}}
                items={loose.map((plan) => ({
                  id: plan.id,
                  label: plan.name,
                  content: <PlanTile plan={plan} />,
                }))}
              />
            </Card>
          </Section>
        )}
        {data?.plans.pageInfo.hasNextPage === true && (
          <Text color="muted">{words.more({ count: plans.length })}</Text>
        )}
      </Stack>
      {group !== null && (
        <GroupSheet
          group={group === 'new' ? null : group}
          onClose={() => setGroup(null)}
          onDone={() => {
            setGroup(null);
            refetch();
          }}
        />
      )}
    </Page>
  );
}
