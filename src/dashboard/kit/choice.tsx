import CheckIcon from 'lucide-react/icons/check';
import MinusIcon from 'lucide-react/icons/minus';
import type { ReactNode } from 'react';
import {
  Checkbox as AriaCheckbox,
  type CheckboxProps as AriaCheckboxProps,
} from 'react-aria-components/Checkbox';
import {
  RadioGroup as AriaRadioGroup,
  type RadioGroupProps as AriaRadioGroupProps,
  Radio,
} from 'react-aria-components/RadioGroup';
import { Switch as AriaSwitch, type SwitchProps as AriaSwitchProps } from 'react-aria-components/Switch';
import styles from './choice.module.css';
import { cx } from './class-names.ts';
import { FieldLabel, FieldNotes, type FieldProps, splitField } from './field.tsx';

type Plain<Props> = Omit<Props, 'children' | 'className' | 'style'>;

type ChoiceText = {
  readonly children?: ReactNode;
  /** Help text below the label. */
  readonly help?: ReactNode;
};

const words = ({ children, help }: ChoiceText) =>
  (children !== undefined || help !== undefined) && (
    <span className={styles.words}>
      <span>{children}</span>
      {help !== undefined && <span className={styles.help}>{help}</span>}
    </span>
  );

/** Checkbox in a form. */
export const Checkbox = ({ children, help, ...props }: ChoiceText & Plain<AriaCheckboxProps>) => (
  <AriaCheckbox {...props} className={styles.choice ?? ''}>
    {({ isSelected, isIndeterminate }) => (
      <>
        <span className={styles.box} aria-hidden="true">
          {isIndeterminate ? <MinusIcon /> : isSelected && <CheckIcon />}
        </span>
        {words({ children, help })}
      </>
    )}
  </AriaCheckbox>
);

/** Switch that takes effect immediately. */
export const Switch = ({ children, help, ...props }: ChoiceText & Plain<AriaSwitchProps>) => (
  <AriaSwitch {...props} className={styles.choice ?? ''}>
    <span className={styles.track} aria-hidden="true">
      <span className={styles.thumb} />
    </span>
    {words({ children, help })}
  </AriaSwitch>
);

type RadioOption = {
  readonly value: string;
  readonly label: ReactNode;
  readonly help?: ReactNode;
  readonly isDisabled?: boolean;
};

type RadioGroupProps = FieldProps &
  Plain<AriaRadioGroupProps> & {
    readonly options: readonly RadioOption[];
    /** `cards` gives each option a border and space for help text. */
    readonly look?: 'plain' | 'cards';
  };

/** Radio buttons for a small number of options. */
export function RadioGroup({ options, look = 'plain', ...rest }: RadioGroupProps) {
  const { field, notes, props } = splitField(rest);
  return (
    <AriaRadioGroup {...props}>
      <FieldLabel {...field} />
      <div className={styles.options} data-look={look}>
        {options.map(({ value, label, help, isDisabled = false }) => (
          <Radio
            key={value}
            value={value}
            isDisabled={isDisabled}
            className={cx(styles.choice, look === 'cards' && styles.card)}
          >
            <span className={styles.dot} aria-hidden="true" />
            {words({ children: label, help })}
          </Radio>
        ))}
      </div>
      <FieldNotes {...notes} />
    </AriaRadioGroup>
  );
}
