import ArrowDownIcon from 'lucide-react/icons/arrow-down';
import ArrowUpIcon from 'lucide-react/icons/arrow-up';
import PlusIcon from 'lucide-react/icons/plus';
import TrashIcon from 'lucide-react/icons/trash-2';
import { IconButton } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { Card, Row, Stack } from '../../../kit/layout.tsx';
import { Menu } from '../../../kit/menu.tsx';
import { MoneyField, NumberField } from '../../../kit/number-field.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import {
  maxPhases,
  type PhaseDraft,
  phaseProblems,
  type Recurring,
} from '../../../parts/catalog/model/phases.ts';
import { useWords } from '../../../words/words.ts';

const kinds: readonly PhaseDraft['type'][] = ['free_trial', 'percentage', 'amount_off', 'fixed_price'];
const ownInterval: readonly Recurring[] = ['weekly', 'monthly', 'quarterly', 'yearly'];
const ofPlan = 'plan';

let made = 0;

export const newPhase = (type: PhaseDraft['type']): PhaseDraft => ({
  key: `new:${++made}`,
  type,
  days: 14,
  cycles: 3,
  interval: null,
  share: 2_000,
  amounts: type === 'amount_off' || type === 'fixed_price' ? [{ currency: 'usd', amount: 500 }] : [],
});

type AmountsProps = {
  readonly phase: PhaseDraft;
  readonly currencies: readonly string[];
  readonly onChange: (changes: Partial<PhaseDraft>) => void;
};

/** Fields for the amounts of a phase, one per currency. Amounts aren't converted between currencies. */
function Amounts({ phase, currencies, onChange }: AmountsProps) {
  const words = useWords('offers').editor;
  const used = phase.amounts.map(({ currency }) => currency);
  const set = (currency: string, amount: number | null) =>
    amount !== null &&
    onChange({
      amounts: phase.amounts.map((one) => (one.currency === currency ? { currency, amount } : one)),
    });
  return (
    <Stack gap={2}>
      {phase.amounts.map(({ currency, amount }) => (
        <Row key={currency} gap={2} align="end" wrap={false}>
          <MoneyField
            label={words.amountIn({ currency: currency.toUpperCase() })}
            currency={currency}
            value={amount}
            onChange={(value) => set(currency, value)}
          />
          <IconButton
            label={words.removeAmount({ currency: currency.toUpperCase() })}
            icon={<TrashIcon />}
            onPress={() => onChange({ amounts: phase.amounts.filter((one) => one.currency !== currency) })}
          />
        </Row>
      ))}
      <Menu
        label={words.addCurrency}
        icon={<PlusIcon />}
        size="sm"
        items={currencies
          .filter((currency) => !used.includes(currency))
          .map((currency) => ({
            id: currency,
            label: currency.toUpperCase(),
            onAction: () => onChange({ amounts: [...phase.amounts, { currency, amount: 0 }] }),
          }))}
      />
    </Stack>
  );
}

type PhaseFieldsProps = AmountsProps & { readonly isLast: boolean };

function PhaseFields({ phase, currencies, onChange, isLast }: PhaseFieldsProps) {
  const words = useWords('offers').editor;
  const common = useWords('catalog');
  if (phase.type === 'free_trial')
    return (
      <NumberField
        label={words.days}
        value={phase.days}
        minValue={1}
        maxValue={3_650}
        onChange={(days) => onChange({ days: Number.isNaN(days) ? 1 : days })}
      />
    );
  return (
    <Stack gap={3}>
      {phase.type === 'percentage' ? (
        <NumberField
          label={words.share}
          value={phase.share / 100}
          minValue={0.01}
          maxValue={100}
          step={0.01}
          onChange={(share) => onChange({ share: Number.isNaN(share) ? 0 : Math.round(share * 100) })}
          after="%"
        />
      ) : (
        <Amounts phase={phase} currencies={currencies} onChange={onChange} />
      )}
      {phase.cycles !== null && (
        <NumberField
          label={words.cycles}
          help={words.cyclesHelp}
          value={phase.cycles}
          minValue={1}
          maxValue={1_200}
          onChange={(cycles) => onChange({ cycles: Number.isNaN(cycles) ? 1 : cycles })}
        />
      )}
      {isLast && (
        <Checkbox
          isSelected={phase.cycles === null}
          onChange={(isOpen) => onChange({ cycles: isOpen ? null : 1 })}
        >
          {words.openEnd}
        </Checkbox>
      )}
      {phase.type === 'fixed_price' && (
        <Select
          label={words.interval}
          value={phase.interval ?? ofPlan}
          onChange={(value) => onChange({ interval: value === ofPlan ? null : (value as Recurring) })}
          options={[
            { value: ofPlan, label: words.planInterval },
            ...ownInterval.map((value) => ({ value, label: common.intervals[value] })),
          ]}
        />
      )}
    </Stack>
  );
}

type PhaseEditorProps = {
  readonly phases: readonly PhaseDraft[];
  readonly currencies: readonly string[];
  readonly onChange: (phases: readonly PhaseDraft[]) => void;
};

/** Editor for the phases of an offer, in order. */
export function PhaseEditor({ phases, currencies, onChange }: PhaseEditorProps) {
  const words = useWords('offers').editor;
  const problems = phaseProblems(phases);
  const change = (key: string, changes: Partial<PhaseDraft>) =>
    onChange(phases.map((phase) => (phase.key === key ? { ...phase, ...changes } : phase)));
  const swap = (index: number, by: 1 | -1) =>
    onChange(
      phases.map((phase, at) => phases[at === index ? index + by : at === index + by ? index : at] ?? phase),
    );
  return (
    <Stack gap={3}>
      {phases.map((phase, index) => (
        <Card
          key={phase.key}
          title={words.phase({ index: index + 1, kind: words.kinds[phase.type] })}
          actions={
            <Row gap={1}>
              <IconButton
                label={words.earlier({ index: index + 1 })}
                icon={<ArrowUpIcon />}
                size="sm"
                isDisabled={index === 0}
                onPress={() => swap(index, -1)}
              />
              <IconButton
                label={words.later({ index: index + 1 })}
                icon={<ArrowDownIcon />}
                size="sm"
                isDisabled={index === phases.length - 1}
                onPress={() => swap(index, 1)}
              />
              <IconButton
                label={words.remove({ index: index + 1 })}
                icon={<TrashIcon />}
                size="sm"
                onPress={() => onChange(phases.filter(({ key }) => key !== phase.key))}
              />
            </Row>
          }
        >
          <Stack gap={2}>
            <PhaseFields
              phase={phase}
              currencies={currencies}
              isLast={index === phases.length - 1}
              onChange={(changes) => change(phase.key, changes)}
            />
            {problems
              .filter((problem) => problem.index === index)
              .map(({ kind }) => (
                <Text key={kind} color="negative" size="sm">
                  {words.problems[kind]}
                </Text>
              ))}
          </Stack>
        </Card>
      ))}
      {phases.length < maxPhases && (
        <Menu
          label={words.addPhase}
          icon={<PlusIcon />}
          items={kinds
            .filter((kind) => kind !== 'free_trial' || phases.length === 0)
            .map((kind) => ({
              id: kind,
              label: words.kinds[kind],
              help: words.kindTexts[kind],
              onAction: () => onChange([...phases, newPhase(kind)]),
            }))}
        />
      )}
    </Stack>
  );
}
