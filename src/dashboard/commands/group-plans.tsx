import { useState } from 'react';
import { addressOf } from '../address.ts';
import { ApiError } from '../data/api-error.ts';
import { useAction, useData } from '../data/hooks.ts';
import { useHasRole } from '../data/viewer.ts';
import { Button } from '../kit/button.tsx';
import { Callout } from '../kit/callout.tsx';
import { Row, Stack } from '../kit/layout.tsx';
import { Link } from '../kit/link.tsx';
import { Rejection } from '../shell/rejection.tsx';
import { ChoicePlansDocument } from './choices.graphql';
import { useCommandWords } from './fields.tsx';
import { ChangePlanGroupAddDocument, ChangePlanGroupCreateDocument } from './group-plans.graphql';
import { Select } from './lazy-fields.ts';
import type { ChoicePlan } from './plans.ts';

/**
 * Explains that no other plan is in the plan group, and adds a plan to the group. If the plan has no group, creates a group with both
 * plans. The cheaper plan gets the lower rank.
 */
export function GroupPlans({ plan }: { readonly plan: ChoicePlan }) {
  const { changePlan: words } = useCommandWords();
  const isAdmin = useHasRole('admin');
  const { data, refetch } = useData(ChoicePlansDocument, {});
  const [createGroup, created] = useAction(ChangePlanGroupCreateDocument);
  const [addPlan, added] = useAction(ChangePlanGroupAddDocument);
  const [planId, setPlanId] = useState<string | null>(null);
  const others = (data?.plans.nodes ?? []).filter(
    ({ id, planGroup, consumptionModel }) =>
      id !== plan.id && planGroup === null && consumptionModel === plan.consumptionModel,
  );
  const add = async () => {
    const other = others.find(({ id }) => id === planId);
    if (other === undefined) return;
    let groupId = plan.planGroup?.id;
    const members = groupId === undefined ? [plan, other].toSorted((a, b) => costOf(a) - costOf(b)) : [other];
    if (groupId === undefined) {
      const made = await createGroup({ input: { name: members.map(({ name }) => name).join(' / ') } });
      if (made instanceof ApiError) return;
      groupId = made.planGroupCreate.id;
    }
    for (const { id } of members)
      if ((await addPlan({ input: { planGroupId: groupId, planId: id } })) instanceof ApiError) break;
    refetch();
  };
  return (
    <Callout tone="neutral">
      <Stack gap={3}>
        {words.none}
        {isAdmin && others.length > 0 ? (
          <Row gap={2} align="end">
            <Select
              label={words.addToGroup}
              options={others.map(({ id, name }) => ({ value: id, label: name }))}
              value={planId}
              onChange={setPlanId}
            />
            <Button
              isDisabled={planId === null}
              isPending={created.isRunning || added.isRunning}
              onPress={() => void add()}
            >
              {words.addPlan}
            </Button>
          </Row>
        ) : (
          <Link href={addressOf('plans')}>{words.openPlans}</Link>
        )}
        <Rejection error={created.error ?? added.error} />
      </Stack>
    </Callout>
  );
}

/** Price of a plan for comparisons, in the smallest currency unit. */
const costOf = ({ prices }: ChoicePlan): number =>
  (prices.find(({ isDefault }) => isDefault) ?? prices[0])?.price ?? 0;
