import { Checkbox, RadioGroup } from '../../../kit/choice.tsx';
import { Stack } from '../../../kit/layout.tsx';
import { ReorderList } from '../../../kit/reorder-list.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import { type Choices, plansOf, type TableDraft } from './table-draft.ts';

type PlanFieldsProps = {
  readonly draft: TableDraft;
  readonly choices: Choices | null;
  readonly onChange: (part: Partial<TableDraft>) => void;
};

/** Selects, orders and describes individual plans of a pricing table. */
function ChosenPlans({ draft, choices, onChange }: PlanFieldsProps) {
  const words = useWords('pricingtables');
  const { plans } = draft;
  const chosen = plansOf(draft, choices);
  const toggle = (planId: string, isChosen: boolean) =>
    onChange({
      plans: isChosen ? [...plans, { planId, text: '' }] : plans.filter((plan) => plan.planId !== planId),
    });
  return (
    <Stack gap={3}>
      {(choices?.plans.nodes ?? []).map(({ id, name }) => (
        <Checkbox
          key={id}
          isSelected={plans.some(({ planId }) => planId === id)}
          onChange={(isChosen) => toggle(id, isChosen)}
        >
          {name}
        </Checkbox>
      ))}
      {chosen.length > 1 && (
        <ReorderList
          label={words.order}
          items={chosen.map(({ id, name }) => ({ id, label: name, content: name }))}
          onReorder={(ids) =>
            onChange({
              plans: ids.flatMap((id) => plans.find(({ planId }) => planId === id) ?? []),
            })
          }
        />
      )}
      {chosen.map(({ id, name }) => (
        <TextField
          key={id}
          label={words.planText({ plan: name })}
          help={words.planTextHelp}
          isOptional
          maxLength={500}
          value={plans.find(({ planId }) => planId === id)?.text ?? ''}
          onChange={(text) =>
            onChange({ plans: plans.map((plan) => (plan.planId === id ? { ...plan, text } : plan)) })
          }
        />
      ))}
    </Stack>
  );
}

const nobody = 'none';

/** Fields for the plans of a pricing table and the highlighted plan. */
export function PlanFields({ draft, choices, onChange }: PlanFieldsProps) {
  const words = useWords('pricingtables');
  const groups = choices?.planGroups.nodes ?? [];
  const plans = plansOf(draft, choices);
  return (
    <>
      <RadioGroup
        label={words.source}
        value={draft.source}
        onChange={(source) => onChange({ source: source === 'group' ? 'group' : 'plans' })}
        options={[
          { value: 'plans', label: words.chosen },
          { value: 'group', label: words.ofGroup, isDisabled: groups.length === 0 },
        ]}
      />
      {draft.source === 'group' ? (
        <Select
          label={words.group}
          value={draft.planGroupId}
          onChange={(planGroupId) => onChange({ planGroupId })}
          options={groups.map(({ id, name }) => ({ value: id, label: name }))}
        />
      ) : (
        <ChosenPlans draft={draft} choices={choices} onChange={onChange} />
      )}
      {plans.length > 0 && (
        <Select
          label={words.highlighted}
          value={plans.some(({ id }) => id === draft.highlightedPlanId) ? draft.highlightedPlanId : nobody}
          onChange={(id) => onChange({ highlightedPlanId: id === nobody ? null : id })}
          options={[
            { value: nobody, label: words.none },
            ...plans.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      {choices !== null && draft.source === 'plans' && choices.plans.nodes.length === 0 && (
        <Text color="muted">{words.previewEmpty}</Text>
      )}
    </>
  );
}
