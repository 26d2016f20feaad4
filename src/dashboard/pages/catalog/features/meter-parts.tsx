import TrashIcon from 'lucide-react/icons/trash-2';
import type { ReactNode } from 'react';
import { Button, IconButton } from '../../../kit/button.tsx';
import { Checkbox } from '../../../kit/choice.tsx';
import { FormGrid, FormWide } from '../../../kit/form.tsx';
import { Card, Stack } from '../../../kit/layout.tsx';
import { Select } from '../../../kit/select.tsx';
import { Text } from '../../../kit/text.tsx';
import { TextArea, TextField } from '../../../kit/text-field.tsx';
import { useWords } from '../../../words/words.ts';
import {
  type DimensionDraft,
  type FilterDraft,
  hasBands,
  mostDimensions,
  mostFilters,
  newDimension,
  newFilter,
} from './meter-draft.ts';

type PartFieldsProps<Part> = {
  /** Start of the names of the fields, such as `filters.0`. */
  readonly name: string;
  readonly part: Part;
  readonly onChange: (changes: Partial<Part>) => void;
};

type PartListProps<Part> = {
  readonly name: string;
  readonly parts: readonly Part[];
  /** Values of an added part. */
  readonly added: Part;
  readonly most: number;
  readonly labels: {
    readonly title: string;
    readonly help: string;
    readonly add: string;
    readonly part: (values: { readonly number: string }) => string;
    readonly remove: (values: { readonly number: string }) => string;
  };
  readonly fields: (props: PartFieldsProps<Part>) => ReactNode;
  readonly onChange: (parts: readonly Part[]) => void;
};

/** List of parts of a meter, each with its own fields. */
function PartList<Part extends object>({
  name,
  parts,
  added,
  most,
  labels,
  fields: Fields,
  onChange,
}: PartListProps<Part>) {
  return (
    <Stack gap={3} align="stretch">
      <Text weight="medium">{labels.title}</Text>
      <Text size="sm" color="muted">
        {labels.help}
      </Text>
      {parts.map((part, index) => (
        <Card
          // biome-ignore lint/suspicious/noArrayIndexKey: parts have no identity, and all their fields are controlled.
          key={index}
          title={labels.part({ number: String(index + 1) })}
          actions={
            <IconButton
              label={labels.remove({ number: String(index + 1) })}
              icon={<TrashIcon />}
              size="sm"
              onPress={() => onChange(parts.filter((_, at) => at !== index))}
            />
          }
        >
          <Fields
            name={`${name}.${index}`}
            part={part}
            onChange={(changes) =>
              onChange(parts.map((one, at) => (at === index ? { ...one, ...changes } : one)))
            }
          />
        </Card>
      ))}
      {parts.length < most && (
        <div>
          <Button size="sm" onPress={() => onChange([...parts, added])}>
            {labels.add}
          </Button>
        </div>
      )}
    </Stack>
  );
}

function FilterFields({ name, part: filter, onChange }: PartFieldsProps<FilterDraft>) {
  const { meter: words } = useWords('features');
  return (
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
  );
}

function DimensionFields({ name, part: dimension, onChange }: PartFieldsProps<DimensionDraft>) {
  const { meter: words } = useWords('features');
  const isInvalid = dimension.bands.trim() !== '' && !hasBands(dimension);
  return (
    <Stack gap={3}>
      <TextField
        label={words.property}
        name={`${name}.property`}
        value={dimension.property}
        onChange={(property) => onChange({ property })}
        maxLength={200}
        code
      />
      <Checkbox isSelected={dimension.isBanded} onChange={(isBanded) => onChange({ isBanded })}>
        {words.isBanded}
      </Checkbox>
      {dimension.isBanded && (
        <TextArea
          label={words.bands}
          help={words.bandsHelp}
          name={`${name}.bands`}
          value={dimension.bands}
          onChange={(bands) => onChange({ bands })}
          rows={3}
          code
          {...(isInvalid && { error: words.badBands })}
        />
      )}
    </Stack>
  );
}

type PartsProps<Part> = Pick<PartListProps<Part>, 'parts' | 'onChange'>;

/** Fields for the properties by whose values the usage is divided. */
export function MeterDimensions(props: PartsProps<DimensionDraft>) {
  const { meter: words } = useWords('features');
  return (
    <PartList
      {...props}
      name="dimensions"
      added={newDimension}
      most={mostDimensions}
      fields={DimensionFields}
      labels={{
        title: words.dimensions,
        help: words.dimensionsHelp,
        add: words.addDimension,
        part: words.dimension,
        remove: words.removeDimension,
      }}
    />
  );
}

/** Fields for the conditions that events must meet in order to be counted. */
export function MeterFilters(props: PartsProps<FilterDraft>) {
  const { meter: words } = useWords('features');
  return (
    <PartList
      {...props}
      name="filters"
      added={newFilter}
      most={mostFilters}
      fields={FilterFields}
      labels={{
        title: words.filters,
        help: words.filtersHelp,
        add: words.addFilter,
        part: words.filter,
        remove: words.removeFilter,
      }}
    />
  );
}
