import { Checkbox, RadioGroup } from '../choice.tsx';
import type { GridColumn } from '../grid/columns.ts';
import { Stack } from '../layout.tsx';
import { useKit } from '../provider.tsx';
import { Text } from '../text.tsx';
import styles from './list.module.css';

type Density = 'compact' | 'cosy';

export type DisplayChoicesProps = {
  // biome-ignore lint/suspicious/noExplicitAny: the rows do not matter here.
  readonly columns: readonly GridColumn<any>[];
  readonly hidden: readonly string[];
  readonly onHidden: (hidden: readonly string[]) => void;
  readonly density?: Density;
  readonly onDensity?: (density: Density) => void;
};

/** Checkboxes for the columns of a list, and radio buttons for the row density. */
export function DisplayChoices({
  columns,
  hidden,
  onHidden,
  density = 'compact',
  onDensity,
}: DisplayChoicesProps) {
  const { words } = useKit();
  return (
    <Stack gap={3}>
      <fieldset aria-label={words.columns} className={styles.choices}>
        <Text size="xs" color="muted" weight="medium">
          {words.columns}
        </Text>
        {columns.map(({ id, title, isRequired = false }) => (
          <Checkbox
            key={id}
            isDisabled={isRequired}
            isSelected={isRequired || !hidden.includes(id)}
            onChange={(isOn) => onHidden(isOn ? hidden.filter((one) => one !== id) : [...hidden, id])}
          >
            {title}
          </Checkbox>
        ))}
      </fieldset>
      {onDensity !== undefined && (
        <RadioGroup
          label={words.density}
          value={density}
          onChange={(value) => onDensity(value as Density)}
          options={[
            { value: 'compact', label: words.compact },
            { value: 'cosy', label: words.cosy },
          ]}
        />
      )}
    </Stack>
  );
}
