import type { ReactNode } from 'react';
import { FieldError, Label, Text } from 'react-aria-components';
import styles from './field.module.css';
import { useKit } from './provider.tsx';

/** What all fields have: a label above, help below, an error below. Required is the rule; optional is said. */
export type FieldProps = {
  readonly label: string;
  readonly help?: ReactNode;
  /** An error of this field, beside those the form passes by the field's name. */
  readonly error?: string | undefined;
  readonly isOptional?: boolean;
  /** Whether only readers get the label. */
  readonly isLabelHidden?: boolean;
};

/** The label of a field, with `optional` where it is. */
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

/** The help and the error of a field. */
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

/** The properties of a field apart from those passed on to the part of react-aria. */
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
