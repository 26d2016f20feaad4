import SearchIcon from 'lucide-react/icons/search';
import XIcon from 'lucide-react/icons/x';
import type { ReactNode } from 'react';
import { Button as AriaButton } from 'react-aria-components/Button';
import { Group } from 'react-aria-components/Group';
import { Input } from 'react-aria-components/Input';
import {
  SearchField as AriaSearchField,
  type SearchFieldProps as AriaSearchFieldProps,
} from 'react-aria-components/SearchField';
import { TextArea as AriaTextArea } from 'react-aria-components/TextArea';
import {
  TextField as AriaTextField,
  type TextFieldProps as AriaTextFieldProps,
} from 'react-aria-components/TextField';
import { cx } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps, splitField } from './field.tsx';
import styles from './input.module.css';
import { useKit } from './provider.tsx';

type Plain<Props> = Omit<Props, 'children' | 'className' | 'style'>;

export type TextFieldProps = FieldProps &
  Plain<AriaTextFieldProps> & {
    readonly placeholder?: string;
    /** Text before the typed value, such as `https://`. */
    readonly before?: ReactNode;
    readonly after?: ReactNode;
    /** True for a monospace font, as for IDs, keys and slugs. */
    readonly code?: boolean;
  };

/** Single-line text field. */
export function TextField({ placeholder = '', before, after, code = false, ...rest }: TextFieldProps) {
  const { field, notes, props } = splitField(rest);
  return (
    <AriaTextField {...props}>
      <FieldLabel {...field} />
      <Group className={styles.box ?? ''}>
        {before !== undefined && <span className={styles.affix}>{before}</span>}
        <Input className={cx(styles.input, code && styles.codeFont)} placeholder={placeholder} />
        {after !== undefined && <span className={styles.affix}>{after}</span>}
      </Group>
      <FieldNotes {...notes} />
    </AriaTextField>
  );
}

export type TextAreaProps = FieldProps &
  Plain<AriaTextFieldProps> & {
    readonly placeholder?: string;
    readonly rows?: number;
    readonly code?: boolean;
  };

/** Multi-line text field. */
export function TextArea({ placeholder = '', rows = 3, code = false, ...rest }: TextAreaProps) {
  const { field, notes, props } = splitField(rest);
  return (
    <AriaTextField {...props}>
      <FieldLabel {...field} />
      <Group className={styles.box ?? ''}>
        <AriaTextArea
          className={cx(styles.input, styles.area, code && styles.codeFont)}
          placeholder={placeholder}
          rows={rows}
        />
      </Group>
      <FieldNotes {...notes} />
    </AriaTextField>
  );
}

export type SearchFieldProps = Plain<AriaSearchFieldProps> & {
  readonly label: string;
  readonly placeholder?: string;
};

/** Search field with a clear button. `Escape` also clears it. */
export function SearchField({ label, placeholder = label, ...props }: SearchFieldProps) {
  const { words } = useKit();
  return (
    <AriaSearchField {...props} aria-label={label}>
      {({ isEmpty }) => (
        <Group className={styles.box ?? ''}>
          <span className={styles.icon} aria-hidden="true">
            <SearchIcon />
          </span>
          <Input className={styles.input ?? ''} placeholder={placeholder} />
          {!isEmpty && (
            <AriaButton className={styles.button ?? ''} aria-label={words.clear}>
              <XIcon />
            </AriaButton>
          )}
        </Group>
      )}
    </AriaSearchField>
  );
}
