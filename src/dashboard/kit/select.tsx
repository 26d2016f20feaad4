import CheckIcon from 'lucide-react/icons/check';
import ChevronDownIcon from 'lucide-react/icons/chevron-down';
import type { KeyboardEvent, ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import {
  ComboBox as AriaComboBox,
  type ComboBoxProps as AriaComboBoxProps,
  ListBoxItem,
  ListBoxSection,
} from 'react-aria-components/ComboBox';
import { Group } from 'react-aria-components/Group';
import { Header } from 'react-aria-components/Header';
import { Input } from 'react-aria-components/Input';
import { ListBox } from 'react-aria-components/ListBox';
import { Popover as AriaPopover } from 'react-aria-components/Popover';
import {
  Select as AriaSelect,
  type SelectProps as AriaSelectProps,
  SelectValue,
} from 'react-aria-components/Select';
import { FieldLabel, FieldNotes, type FieldProps, splitField } from './field.tsx';
import inputStyles from './input.module.css';
import styles from './popover.module.css';
import { useKit } from './provider.tsx';
import own from './select.module.css';

export type Option = {
  readonly value: string;
  readonly label: string;
  readonly help?: ReactNode;
  readonly icon?: ReactNode;
  readonly isDisabled?: boolean;
};

type OptionGroup = { readonly title: string; readonly options: readonly Option[] };

type Options = {
  readonly options?: readonly Option[];
  /** Groups of options with titles. Replace `options`. */
  readonly groups?: readonly OptionGroup[];
};

const option = ({ value, label, help, icon, isDisabled = false }: Option) => (
  <ListBoxItem key={value} id={value} textValue={label} isDisabled={isDisabled} className={styles.item ?? ''}>
    {({ isSelected }) => (
      <>
        {icon !== undefined && <span className={styles.itemIcon}>{icon}</span>}
        <span className={styles.itemText}>
          {label}
          {help !== undefined && <span className={styles.itemHelp}>{help}</span>}
        </span>
        {isSelected && <CheckIcon />}
      </>
    )}
  </ListBoxItem>
);

const OptionList = ({ options = [], groups, empty }: Options & { readonly empty: string }) => (
  <ListBox className={styles.list ?? ''} renderEmptyState={() => <div className={styles.empty}>{empty}</div>}>
    {groups === undefined
      ? options.map(option)
      : groups.map(({ title, options: members }) => (
          <ListBoxSection key={title} className={styles.group ?? ''}>
            <Header className={styles.groupTitle ?? ''}>{title}</Header>
            {members.map(option)}
          </ListBoxSection>
        ))}
  </ListBox>
);

export type SelectProps = FieldProps &
  Options &
  Omit<
    AriaSelectProps<object>,
    | 'children'
    | 'className'
    | 'style'
    | 'value'
    | 'onChange'
    | 'selectedKey'
    | 'defaultSelectedKey'
    | 'onSelectionChange'
    | 'selectionMode'
    | 'defaultValue'
  > & {
    readonly value?: string | null;
    readonly defaultValue?: string;
    readonly onChange?: (value: string) => void;
  };

/** Field that selects one of several options from a popover. */
export function Select({
  options,
  groups,
  placeholder,
  value,
  defaultValue,
  onChange,
  ...rest
}: SelectProps) {
  const { words } = useKit();
  const { field, notes, props } = splitField(rest);
  return (
    <AriaSelect
      // Allows the list to open while the options are still loading.
      allowsEmptyCollection
      {...props}
      placeholder={placeholder ?? words.choose}
      {...(value !== undefined && { selectedKey: value })}
      {...(defaultValue !== undefined && { defaultSelectedKey: defaultValue })}
      onSelectionChange={(key) => key !== null && onChange?.(String(key))}
    >
      <FieldLabel {...field} />
      <AriaButton className={own.button ?? ''}>
        <SelectValue className={own.value ?? ''}>
          {({ selectedText, defaultChildren, isPlaceholder }) =>
            isPlaceholder ? defaultChildren : selectedText
          }
        </SelectValue>
        <ChevronDownIcon aria-hidden="true" />
      </AriaButton>
      <FieldNotes {...notes} />
      <AriaPopover className={styles.popover ?? ''} offset={4}>
        <OptionList {...(options && { options })} {...(groups && { groups })} empty={words.noResults} />
      </AriaPopover>
    </AriaSelect>
  );
}

export type ComboBoxProps = FieldProps &
  Options &
  Omit<
    AriaComboBoxProps<object>,
    | 'children'
    | 'className'
    | 'style'
    | 'value'
    | 'onChange'
    | 'selectedKey'
    | 'defaultSelectedKey'
    | 'onSelectionChange'
    | 'selectionMode'
    | 'defaultValue'
  > & {
    readonly placeholder?: string;
    readonly value?: string | null;
    readonly defaultValue?: string;
    readonly onChange?: (value: string | null) => void;
    /** True while options for the typed text are loading. */
    readonly isLoading?: boolean;
  };

const folded = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').trim().toLowerCase();

/** Returns the first option whose label starts with the text. If no label does, returns the first option whose label contains the text. */
function matching({ options = [], groups }: Options, text: string): Option | undefined {
  const typed = folded(text);
  if (typed === '') return undefined;
  const all = groups === undefined ? options : groups.flatMap(({ options: members }) => members);
  const isOpen = ({ isDisabled }: Option) => isDisabled !== true;
  return (
    all.find((each) => isOpen(each) && folded(each.label).startsWith(typed)) ??
    all.find((each) => isOpen(each) && folded(each.label).includes(typed))
  );
}

/** Field that selects one of many options by typing. Enter and Tab select the first matching option. For options from the service, pass `items` and load them in `onInputChange`. */
export function ComboBox({
  options,
  groups,
  placeholder = '',
  value,
  defaultValue,
  onChange,
  isLoading = false,
  ...rest
}: ComboBoxProps) {
  const { words } = useKit();
  const { field, notes, props } = splitField(rest);
  const chooseFirst = ({ key, currentTarget }: KeyboardEvent<HTMLInputElement>) => {
    if (key !== 'Enter' && key !== 'Tab') return;
    // An option that the arrow keys have reached takes precedence.
    if (currentTarget.hasAttribute('aria-activedescendant')) return;
    const found = matching({ ...(options && { options }), ...(groups && { groups }) }, currentTarget.value);
    if (found !== undefined && found.value !== value) onChange?.(found.value);
  };
  return (
    <AriaComboBox
      menuTrigger="focus"
      allowsEmptyCollection
      {...props}
      {...(value !== undefined && { selectedKey: value })}
      {...(defaultValue !== undefined && { defaultSelectedKey: defaultValue })}
      onSelectionChange={(key) => onChange?.(key === null ? null : String(key))}
    >
      <FieldLabel {...field} />
      <Group className={inputStyles.box ?? ''}>
        <Input className={inputStyles.input ?? ''} placeholder={placeholder} onKeyDown={chooseFirst} />
        <AriaButton className={inputStyles.button ?? ''} aria-label={words.open}>
          <ChevronDownIcon />
        </AriaButton>
      </Group>
      <FieldNotes {...notes} />
      <AriaPopover className={styles.popover ?? ''} offset={4}>
        <OptionList
          {...(options && { options })}
          {...(groups && { groups })}
          empty={isLoading ? words.loading : words.noResults}
        />
      </AriaPopover>
    </AriaComboBox>
  );
}
