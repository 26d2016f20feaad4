import PlusIcon from 'lucide-react/icons/plus';
import XIcon from 'lucide-react/icons/x';
import { mostFactor, mostMargin, mostModifiers, mostProperties } from '../../../domain/rates/read-derived.ts';
import { Button, IconButton } from '../../kit/button.tsx';
import { Row, Stack } from '../../kit/layout.tsx';
import { NumberField } from '../../kit/number-field.tsx';
import { Table } from '../../kit/table.tsx';
import { Text } from '../../kit/text.tsx';
import { TextField } from '../../kit/text-field.tsx';
import { useWords } from '../../words/words.ts';
import { type DerivedDraft, type ModifierDraft, readCondition } from './model/derived-draft.ts';

/** Converts a percentage to basis points. */
const basisPointsOf = (percent: number): number => Math.round(percent * 100);

/** Field for a margin in percent. The value is in basis points. */
export function MarginField({
  label,
  margin,
  onChange,
}: {
  readonly label: string;
  readonly margin: number;
  readonly onChange: (margin: number) => void;
}) {
  const { features: words } = useWords('plan');
  return (
    <NumberField
      label={label}
      help={words.marginHelp}
      value={margin / 100}
      minValue={0}
      maxValue={mostMargin / 100}
      step={0.01}
      onChange={(value) => onChange(Number.isNaN(value) ? 0 : basisPointsOf(value))}
      after="%"
    />
  );
}

type ModifiersProps = {
  readonly modifiers: readonly ModifierDraft[];
  readonly onChange: (modifiers: readonly ModifierDraft[]) => void;
};

/** Rows with the factors of a derived rate. */
export function Modifiers({ modifiers, onChange }: ModifiersProps) {
  const { derived: words } = useWords('plan');
  const common = useWords('catalog');
  const rows = modifiers.map((modifier, index) => ({ modifier, index, number: String(index + 1) }));
  const change = (index: number, changes: Partial<ModifierDraft>) =>
    onChange(modifiers.map((one, place) => (place === index ? { ...one, ...changes } : one)));
  const isWrong = ({ condition }: ModifierDraft): boolean => {
    const when = readCondition(condition);
    return condition !== '' && (when === null || Object.keys(when).length > mostProperties);
  };
  return (
    <Stack gap={2}>
      {rows.length > 0 && (
        <Table
          label={words.modifiers}
          rows={rows}
          rowKey={({ index }) => index}
          columns={[
            {
              id: 'condition',
              title: words.condition,
              cell: ({ modifier, index, number }) => (
                <TextField
                  label={words.conditionOf({ number })}
                  isLabelHidden
                  code
                  value={modifier.condition}
                  onChange={(condition) => change(index, { condition })}
                  {...(isWrong(modifier) && { error: words.invalid })}
                />
              ),
            },
            {
              id: 'factor',
              title: words.factor,
              cell: ({ modifier, index, number }) => (
                <NumberField
                  label={words.factorOf({ number })}
                  isLabelHidden
                  value={modifier.factor === null ? Number.NaN : modifier.factor / 100}
                  minValue={0}
                  maxValue={mostFactor / 100}
                  step={0.01}
                  onChange={(value) =>
                    change(index, { factor: Number.isNaN(value) ? null : basisPointsOf(value) })
                  }
                  after="%"
                  {...(modifier.factor === null && { error: words.needsFactor })}
                />
              ),
            },
            {
              id: 'remove',
              title: common.verbs.remove,
              cell: ({ index, number }) => (
                <IconButton
                  icon={<XIcon />}
                  label={words.remove({ number })}
                  onPress={() => onChange(modifiers.filter((_, place) => place !== index))}
                />
              ),
            },
          ]}
        />
      )}
      <Row gap={2}>
        <Button
          icon={<PlusIcon />}
          isDisabled={modifiers.length >= mostModifiers}
          onPress={() => onChange([...modifiers, { condition: '', factor: 10_000 }])}
        >
          {words.add}
        </Button>
      </Row>
      <Text size="sm" color="muted">
        {words.help}
      </Text>
    </Stack>
  );
}

type DerivedFieldsProps = {
  readonly derived: DerivedDraft;
  readonly onChange: (derived: DerivedDraft) => void;
};

/** Fields of a rate that is derived from the cost. */
export function DerivedFields({ derived, onChange }: DerivedFieldsProps) {
  const { derived: words } = useWords('plan');
  return (
    <Stack gap={4}>
      <MarginField
        label={words.margin}
        margin={derived.margin}
        onChange={(margin) => onChange({ ...derived, margin })}
      />
      <Modifiers
        modifiers={derived.modifiers}
        onChange={(modifiers) => onChange({ ...derived, modifiers })}
      />
    </Stack>
  );
}
