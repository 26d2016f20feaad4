import { isColor } from '../../domain/color.ts';
import styles from './color-field.module.css';
import { TextField, type TextFieldProps } from './text-field.tsx';

type ColorFieldProps = Omit<TextFieldProps, 'value' | 'onChange' | 'before'> & {
  readonly value: string;
  readonly onChange: (color: string) => void;
  /** The color the picker begins with where none was chosen. */
  readonly initial: string;
};

/** A color `#rrggbb`, typed or picked. */
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
