import TrashIcon from 'lucide-react/icons/trash-2';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { FormGrid, FormWide } from '../../../kit/form.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import { type FilterDraft, mostFilters, newFilter } from './meter-draft.ts';

type FilterFieldsProps = {
  readonly index: number;
  readonly filter: FilterDraft;
  readonly onChange: (changes: Partial<FilterDraft>) => void;
  readonly onRemove: () => void;
};

function FilterFields({ index, filter, onChange, onRemove }: FilterFieldsProps) {
  const { meter: words } = useWords('features');
  const name = `filters.${index}`;
  return (
    <Card
      title={words.filter({ number: String(index + 1) })}
      actions={
        <IconButton
          label={words.removeFilter({ number: String(index + 1) })}
          icon={<TrashIcon />}
          size="sm"
          onPress={onRemove}
        />
      }
    >
      <FormGrid>
        <TextField
          label={words.property}
          name={`${name}.property`}
          value={filter.property}
          onChange={(property) => onChange({ property })}
          maxLength={200}
          code
        />
        <Select
          label={words.condition}
          value={filter.condition}
          onChange={(condition) => onChange({ condition: condition as FilterDraft['condition'] })}
          options={(['in', 'notIn'] as const).map((value) => ({ value, label: words.conditions[value] }))}
        />
        <FormWide>
          <Stack gap={3}>
            <TextArea
              label={words.values}
              help={words.valuesHelp}
              name={`${name}.${filter.condition}`}
              value={filter.values}
              onChange={(values) => onChange({ values })}
              rows={2}
              code
            />
            <Checkbox isSelected={filter.hasEmpty} onChange={(hasEmpty) => onChange({ hasEmpty })}>
              {words.hasEmpty}
            </Checkbox>
          </Stack>
        </FormWide>
      </FormGrid>
    </Card>
  );
}

type MeterFiltersProps = {
  readonly filters: readonly FilterDraft[];
  readonly onChange: (filters: readonly FilterDraft[]) => void;
};

/** Fields for the conditions that events must meet in order to be counted. */
export function MeterFilters({ filters, onChange }: MeterFiltersProps) {
  const { meter: words } = useWords('features');
  return (
    <Stack gap={3} align="stretch">
      <Text weight="medium">{words.filters}</Text>
      <Text size="sm" color="muted">
        {words.filtersHelp}
      </Text>
      {filters.map((filter, index) => (
        <FilterFields
          // biome-ignore lint/suspicious/noArrayIndexKey: filters have no identity, and all their fields are controlled.
          key={index}
          index={index}
          filter={filter}
          onChange={(changes) =>
            onChange(filters.map((one, at) => (at === index ? { ...one, ...changes } : one)))
          }
          onRemove={() => onChange(filters.filter((_, at) => at !== index))}
        />
      ))}
      {filters.length < mostFilters && (
        <div>
          <Button size="sm" onPress={() => onChange([...filters, newFilter])}>
            {words.addFilter}
          </Button>
        </div>
      )}
    </Stack>
  );
}
