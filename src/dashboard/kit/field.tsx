import type { ReactNode } from 'react';
import { FieldError } from 'react-aria-components/FieldError';
import { Label } from 'react-aria-components/Label';
import { Text } from 'react-aria-components/Text';
import styles from './field.module.css';
import { useKit } from './provider.tsx';

/**
 * Props of all fields. The label is above the field. The help text and the error are below the field. Fields are required unless they are
 * marked as optional.
 */
export type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  /** Error of this field, in addition to the errors that the form assigns by field name. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  /** True to show the label to screen readers only. */
  readonly isLabelHidden?: boolean;
};

/** Label of a field, with a note if the field is optional. */
export const FieldLabel = ({
  label,
  isOptional = false,
  isLabelHidden = false,
}: Pick<FieldProps, 'label' | 'isOptional' | 'isLabelHidden'>) => {
  const { words } = useKit();
  return (
    <Label className={styles.label ?? ''} data-hidden={isLabelHidden || undefined}>
      {label}
      {isOptional && <span className={styles.optional}>{words.optional}</span>}
    </Label>
  );
};

export const FieldNotes = ({ help, error }: Pick<FieldProps, 'help' | 'error'>) => (
  <>
    {help !== undefined && (
      <Text slot="description" className={styles.help ?? ''}>
        {help}
      </Text>
    )}
    <FieldError className={styles.error ?? ''}>
      {error === undefined ? ({ validationErrors }) => validationErrors.join(' ') : error}
    </FieldError>
  </>
);

/** Separates the props of a field from the props of the react-aria component. */
export function splitField<Props extends FieldProps>({
  label,
  help,
  error,
  isOptional = false,
  isLabelHidden = false,
  ...props
}: Props) {
  return {
    field: { label, isOptional, isLabelHidden },
    notes: { help, error },
    props: { ...props, ...(error !== undefined && { isInvalid: true }), className: styles.field ?? '' },
  };
}
