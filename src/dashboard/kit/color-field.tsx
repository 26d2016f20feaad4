import { isColor } from '../../domain/text/color.ts';
import styles from './color-field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

type ColorFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'before'> & {
  readonly value: string;
  readonly onChange: (color: string) => void;
  /** Initial color of the picker if no color is set. */
  readonly initial: string;
};

/** Field for a color in the format `#rrggbb`, typed or picked. */
export const ColorField = ({ value, onChange, initial, ...props }: ColorFieldProps) => (
  <TextField
    {...props}
    code
    maxLength={7}
    value={value}
    onChange={onChange}
    placeholder={initial}
    before={
      <input
        type="color"
        className={styles.swatch}
        aria-label={props.label}
        value={isColor(value) ? value : initial}
        onChange={(event) => onChange(event.target.value)}
      />
    }
  />
);
