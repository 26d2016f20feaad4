import { type RefObject, useState } from 'react';
import { Button } from '../button.tsx';
import { Checkbox, RadioGroup } from '../choice.tsx';
import { DateField } from '../date-field.tsx';
import { Stack } from '../layout.tsx';
import { MoneyField, NumberField } from '../number-field.tsx';
import { PopoverSurface } from '../popover-surface.tsx';
import { useKit } from '../provider.tsx';
import { Select } from '../select.tsx';
import { TextField } from '../text-field.tsx';
import { spanText } from './filter-words.ts';
import { type Comparison, comparisonsOf, type Filter, type FilterField, isValid } from './filters.ts';
import styles from './list.module.css';

type EditorProps = {
  readonly field: FilterField;
  readonly filter: Filter;
  readonly onApply: (filter: Filter) => void;
};

const spans = ['24h', '7d', '30d', '90d', '6m', '12m'] as const;

type FilterPopoverProps = EditorProps & {
  /** Filter chip that opens the editor. */
  readonly trigger: RefObject<HTMLButtonElement | null>;
  readonly isOpen: boolean;
  readonly onClose: () => void;
};

/** Popover that contains the editor for a filter. */
export const FilterPopover = ({ trigger, isOpen, onClose, ...editor }: FilterPopoverProps) => (
  <PopoverSurface
    label={editor.field.label}
    placement="bottom start"
    trigger={trigger}
    isOpen={isOpen}
    onClose={onClose}
  >
    <FilterEditor {...editor} />
  </PopoverSurface>
);

/** Form for the comparison and the values of a filter. */
function FilterEditor({ field, filter, onApply }: EditorProps) {
  const { words } = useKit();
  const [edited, setEdited] = useState(filter);
  const known = comparisonsOf(field);
  const compare = (comparison: Comparison) =>
    setEdited({
      ...edited,
      comparison,
      values:
        field.kind === 'choice'
          ? edited.values
          : comparison === 'last' || comparison === 'next'
            ? ['30d']
            : [],
    });
  const isReady = isValid(edited, [field]);
  return (
    <form
      className={styles.editor}
      onSubmit={(event) => {
        event.preventDefault();
        if (isReady) onApply(edited);
      }}
    >
      <Stack gap={3}>
        {known.length > 1 && (
          <Select
            label={words.comparison}
            isLabelHidden
            value={edited.comparison}
            onChange={(value) => compare(value as Comparison)}
            options={known.map((value) => ({ value, label: words.comparisons[value] }))}
          />
        )}
        <Values field={field} filter={edited} onChange={(values) => setEdited({ ...edited, values })} />
        <Button kind="primary" type="submit" size="sm" wide isDisabled={!isReady}>
          {words.apply}
        </Button>
      </Stack>
    </form>
  );
}

type ValuesProps = {
  readonly field: FilterField;
  readonly filter: Filter;
  readonly onChange: (values: readonly string[]) => void;
};

function Values({ field, filter, onChange }: ValuesProps) {
  const kit = useKit();
  const { words } = kit;
  const { comparison, values } = filter;
  const isBetween = comparison === 'between';
  const set = (index: number, value: string) =>
    onChange(isBetween ? Object.assign(['', ''], values, { [index]: value }) : [value]);
  const places = isBetween ? [0, 1] : [0];
  const label = (index: number) => (isBetween ? (index === 0 ? words.from : words.until) : words.value);
  switch (field.kind) {
    case 'choice':
      return <Choices {...{ field, filter, onChange }} />;
    case 'boolean':
      return (
        <RadioGroup
          label={field.label}
          isLabelHidden
          value={values[0] ?? 'true'}
          onChange={(value) => onChange([value])}
          options={[
            { value: 'true', label: words.yes },
            { value: 'false', label: words.no },
          ]}
        />
      );
    case 'number':
      return places.map((index) => (
        <NumberField
          key={index}
          label={label(index)}
          value={values[index] ? Number(values[index]) : Number.NaN}
          onChange={(value) => set(index, Number.isNaN(value) ? '' : String(value))}
        />
      ));
    case 'money':
      return places.map((index) => (
        <MoneyField
          key={index}
          label={label(index)}
          currency={field.currency}
          value={values[index] ? Number(values[index]) : null}
          onChange={(value) => set(index, value === null ? '' : String(value))}
        />
      ));
    case 'date':
      return comparison === 'last' || comparison === 'next' ? (
        <RadioGroup
          label={words.value}
          isLabelHidden
          value={values[0] ?? '30d'}
          onChange={(value) => onChange([value])}
          options={spans.map((value) => ({ value, label: spanText(value, kit) }))}
        />
      ) : (
        places.map((index) => (
          <DateField
            key={index}
            label={label(index)}
            value={values[index] || null}
            onChange={(value) => set(index, value ?? '')}
          />
        ))
      );
    default:
      return (
        <TextField
          label={words.value}
          isLabelHidden
          autoFocus
          value={values[0] ?? ''}
          onChange={(value) => onChange([value])}
        />
      );
  }
}

type ChoicesProps = ValuesProps & { readonly field: Extract<FilterField, { kind: 'choice' }> };

function Choices({ field, filter: { values }, onChange }: ChoicesProps) {
  if (field.isSingle === true)
    return (
      <RadioGroup
        label={field.label}
        isLabelHidden
        value={values[0] ?? null}
        onChange={(value) => onChange([value])}
        options={field.options}
      />
    );
  return (
    <fieldset aria-label={field.label} className={styles.choices}>
      {field.options.map(({ value, label }) => (
        <Checkbox
          key={value}
          isSelected={values.includes(value)}
          onChange={(isOn) => onChange(isOn ? [...values, value] : values.filter((one) => one !== value))}
        >
          {label}
        </Checkbox>
      ))}
    </fieldset>
  );
}
